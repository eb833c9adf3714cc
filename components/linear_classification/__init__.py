"""Linear models of a class."""
