"""Fewer new columns in the place of many."""
