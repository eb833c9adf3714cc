"""Rows whose answers are known: classification and regression."""
