"""Linear models of a quantity."""
