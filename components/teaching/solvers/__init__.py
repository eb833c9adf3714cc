"""Minimisers of textbooks, whose every step is kept."""
