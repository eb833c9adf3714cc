"""What the learning rows look like: facts that planning may use, and insight for people."""
