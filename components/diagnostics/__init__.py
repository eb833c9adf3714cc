"""Looks at special data, one question each: `penstock diagnose NAME SOURCE`."""

from penstock.components.diagnostics.base import Diagnostic, Found
from penstock.components.diagnostics.registry import diagnose, listing

__all__ = ["Diagnostic", "Found", "diagnose", "listing"]
