"""Several classes from classifiers of two."""
