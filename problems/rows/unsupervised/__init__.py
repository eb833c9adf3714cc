"""Rows without answers, whose own numbers are to be told again: reductions and densities."""
