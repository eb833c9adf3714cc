"""What Penstock stores, as each version of its formats wrote it: every later one has to read it."""
