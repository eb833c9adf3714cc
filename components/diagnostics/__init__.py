"""Looks at special data, one question each: `penstock diagnose NAME SOURCE`."""

from penstock.components.diagnostics.base import Diagnostic, Found, table_of
from penstock.components.diagnostics.registry import find, listing

__all__ = ["Diagnostic", "Found", "find", "listing", "table_of"]
