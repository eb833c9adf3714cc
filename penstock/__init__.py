"""Penstock: one pipeline file in, one validated, honestly measured, registered model out."""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"
__all__ = ["__version__", "load", "run"]


def __getattr__(name: str) -> Any:
    if name in ("run", "load"):
        from penstock import api

        return getattr(api, name)
    raise AttributeError(f"module 'penstock' has no attribute {name!r}")
