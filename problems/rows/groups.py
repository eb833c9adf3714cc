"""Groups of rows: those that are not independent, and those of a known grouping."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.schema import ROW_ID, Schema

Array = np.ndarray[Any, Any]


def groups_of(schema: Schema, frame: pd.DataFrame) -> Array | None:
    """Codes of the groups that the rows belong to, where they do."""
    group = schema.named("group")
    return pd.factorize(frame[group])[0] if group else None


def units_of(groups: Array | None, rows: int) -> tuple[int, str]:
    """How many independent units there are, and what they are."""
    return (rows, "rows") if groups is None else (len(np.unique(groups)), "groups")


def known_groups(frame: pd.DataFrame, truth: pd.DataFrame) -> pd.Series[Any]:
    """Of a known grouping that no fit has seen, the group of each row; missing where none is known."""
    return frame[[ROW_ID]].merge(truth, on=ROW_ID, how="left")["truth"]
