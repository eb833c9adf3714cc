"""Answers without a truth to compare with, evaluated on rows that they have not seen: reductions and densities."""
