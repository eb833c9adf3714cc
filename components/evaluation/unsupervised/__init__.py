"""Answers without a truth to compare with, judged on rows that they have not seen: reductions and densities."""
