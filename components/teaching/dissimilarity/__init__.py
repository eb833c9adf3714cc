"""Dissimilarities of mixed and categorical columns, built by hand."""
