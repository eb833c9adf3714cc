"""The report of a run: one HTML file that opens offline."""

from penstock.reporting.render import render

__all__ = ["render"]
