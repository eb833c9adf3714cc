"""Cells of a table as the run document has them."""

from __future__ import annotations

from typing import Any

import pandas as pd
from pydantic import JsonValue


def plain(value: Any) -> JsonValue:
    """As JSON has it; None of a missing one."""
    if pd.isna(value):
        return None
    if isinstance(value, pd.Timestamp):
        return value.date().isoformat()
    found: JsonValue = value.item() if hasattr(value, "item") else value
    return found
