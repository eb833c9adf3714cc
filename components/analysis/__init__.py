"""What the training rows look like: facts that planning may use, and insight for people."""
