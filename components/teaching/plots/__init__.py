"""Figures of diagnostics."""
