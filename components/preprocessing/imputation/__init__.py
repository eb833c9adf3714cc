"""Filling of missing values."""
