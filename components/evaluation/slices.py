"""Parts of the rows that a column tells apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.schema import Schema, numbers, texts
from penstock.errors import UsageError, did_you_mean

MOST_LEVELS = 20
MISSING = "missing"
NO_SLICES = {
    "target": "it is what the model predicts",
    "key": "it names single rows",
    "id": "it names single rows",
    "text": "its texts are all different",
}


def slices(frame: pd.DataFrame, columns: Sequence[str], schema: Schema) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """The name of each slice, `region = north`, and which rows belong to it; of each column every row is in one."""
    for name in columns:
        labels = _labels(frame[name], schema.column(name).role)
        for label in labels.drop_duplicates().sort_values():
            yield f"{name} = {label}", (labels == label).to_numpy()


def require_sliceable(columns: Sequence[str], schema: Schema, where: str) -> None:
    known = {column.name: column.role for column in schema.columns}
    fitting = [name for name, role in known.items() if role not in NO_SLICES]
    for name in columns:
        if name not in known:
            raise UsageError(
                "PEN402",
                f"the data have no column '{name}' to slice by",
                where=where,
                remedy=did_you_mean(name, fitting),
            )
        if known[name] in NO_SLICES:
            raise UsageError(
                "PEN403",
                f"the column '{name}' makes no slices: {NO_SLICES[known[name]]}",
                where=where,
                remedy=f"choose among: {', '.join(fitting[:MOST_LEVELS])}",
            )


def _labels(values: pd.Series[Any], role: str) -> pd.Series[Any]:
    """A label for each row: its level, or for many numbers or dates the quarter of the rows that it is in."""
    if role == "ignore":  # kept as text, whatever it holds
        read = numbers(values)
        values = read if read.notna().sum() == values.notna().sum() else values
    ordered = pd.api.types.is_numeric_dtype(values) or pd.api.types.is_datetime64_any_dtype(values)
    if ordered and values.nunique() > MOST_LEVELS:
        quarter = pd.qcut(values, 4, duplicates="drop")
        ends = values.groupby(quarter, observed=True).agg(["min", "max"])
        named = {key: f"{_brief(row['min'])} to {_brief(row['max'])}" for key, row in ends.iterrows()}
        if len(set(named.values())) < len(named):
            named = {key: f"{row['min']} to {row['max']}" for key, row in ends.iterrows()}
        return quarter.map(named).astype("str").where(values.notna(), MISSING)
    words = texts(values).fillna(MISSING)
    counts = words.value_counts()
    rare = counts.sort_index().sort_values(ascending=False, kind="stable").index[MOST_LEVELS - 1 :]
    return words if len(counts) <= MOST_LEVELS else words.mask(words.isin(rare), f"{len(rare)} other levels")


def _brief(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)[:10]
