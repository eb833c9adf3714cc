"""Linear methods in the space of a kernel."""
