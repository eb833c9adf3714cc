"""Parameters that had another name, for whoever still writes it."""

from __future__ import annotations

from collections.abc import Collection

from penstock.errors import did_you_mean

RENAMED = {"answer": "predict_by", "held_out": "validation_fraction", "reach": "factor"}


def name_meant(name: str, allowed: Collection[str]) -> str:
    """The remedy where a parameter is not known: its new name, or the one that is spelt most like it."""
    if RENAMED.get(name) in allowed:
        return f"this parameter is now called '{RENAMED[name]}'"
    return did_you_mean(name, list(allowed))
