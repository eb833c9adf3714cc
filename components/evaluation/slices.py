"""Parts of the rows that a column tells apart: its levels, or quarters of its numbers and dates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from penstock.components.schema import Column, Schema, numbers, texts
from penstock.errors import DataError, UsageError, did_you_mean

BINS = 4
MAX_LEVELS = 20
MISSING = "(missing)"
NO_SLICES = {
    "target": "it is what the model predicts",
    "key": "it names single rows",
    "id": "it names single rows",
    "text": "its texts are all different",
}


def require_sliceable(columns: Sequence[str], schema: Schema, where: str) -> None:
    """Refuse what is no column, and columns that by their role part nothing."""
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
                remedy=f"choose among: {', '.join(fitting[:MAX_LEVELS])}",
            )


def require_few_slices(learnt: pd.DataFrame, schema: Schema, columns: Sequence[str], where: str) -> None:
    """Refuse columns that cut the training rows into one part, or into too many to tell anything of each."""
    require_sliceable(columns, schema, where)
    for name in columns:
        column = schema.column(name)
        values = _read(learnt[name], column)
        found = values.nunique()
        if found < 2:
            raise DataError(
                "PEN044",
                f"'{name}' has {'one value' if found else 'no value'} in the training rows: nothing to compare",
                where=where,
                remedy=f"name a column with at least two values, or leave '{name}' out",
            )
        if not _binned(values, column) and found > MAX_LEVELS:
            raise DataError(
                "PEN044",
                f"'{name}' has {found} different values, too many for a slice each",
                where=where,
                remedy=f"name a column of numbers, dates or at most {MAX_LEVELS} levels; or put levels together first",
            )


def slices(frame: pd.DataFrame, columns: Sequence[str], schema: Schema) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """The name of each slice, `region = north`, and which rows belong to it; of each column every row is in one."""
    for name in columns:
        labels = slice_of_rows(frame[name], frame[name], schema.column(name))
        for label in in_order(labels):
            yield f"{name} = {label}", (labels == label).to_numpy()


def slice_of_rows(values: pd.Series[Any], learnt: pd.Series[Any], column: Column) -> pd.Series[Any]:
    """The slice of each row: its level, or the quarter of the `learnt` rows that its number or date falls into.

    Of many levels the nineteen that most learnt rows have are slices, and the others one together.
    """
    values, learnt = _read(values, column), _read(learnt, column)
    if _binned(learnt, column):
        return _quarters(values, learnt)
    names, known = (_levels(part, column) for part in (values, learnt))
    counts = known.value_counts().sort_index().sort_values(ascending=False, kind="stable")
    if len(counts) > MAX_LEVELS:
        kept = counts.index[: MAX_LEVELS - 1]
        names = names.where(names.isin(kept) | names.isna(), f"{len(counts) - len(kept)} other levels")
    return names.astype(object).where(names.notna(), MISSING)


def in_order(names: pd.Series[Any]) -> list[str]:
    """Levels by name and bins from low to high, missing last."""
    found = list(names.cat.categories) if isinstance(names.dtype, pd.CategoricalDtype) else sorted(names.unique())
    present = set(names)
    return sorted((name for name in found if name in present), key=lambda name: name == MISSING)


def _quarters(values: pd.Series[Any], learnt: pd.Series[Any]) -> pd.Series[Any]:
    if types.is_numeric_dtype(learnt) and not types.is_numeric_dtype(values):
        values = pd.to_numeric(values, errors="coerce")  # words that the learnt rows do not have
    known = learnt.dropna().sort_values()
    places = (np.linspace(0, 1, BINS + 1)[1:-1] * (len(known) - 1)).round().astype(int)
    edges = known.iloc[places].drop_duplicates()
    words = [_brief(edge) for edge in edges]
    words = words if len(set(words)) == len(words) else [str(edge) for edge in edges]
    labels = [f"up to {words[0]}", *(f"{low} to {high}" for low, high in pairwise(words)), f"above {words[-1]}"]
    bins = np.searchsorted(edges.to_numpy(), values.to_numpy(), side="left").clip(0, len(edges))
    named = pd.Series(
        pd.Categorical.from_codes(bins.tolist(), pd.Index(labels)), index=values.index
    ).cat.add_categories(MISSING)
    return named.where(values.notna(), MISSING)


def _levels(values: pd.Series[Any], column: Column) -> pd.Series[Any]:
    if column.role == "boolean" and column.levels:
        return values.map(dict(enumerate(column.levels)))
    return texts(values)


def _read(values: pd.Series[Any], column: Column) -> pd.Series[Any]:
    """What is left out as a feature is kept as text, even if it is numbers."""
    read = numbers(values) if column.role == "ignore" else values
    return read if read.notna().sum() == values.notna().sum() else values


def _binned(values: pd.Series[Any], column: Column) -> bool:
    """Numbers and dates with more than a few values are cut at their quartiles."""
    amount = types.is_numeric_dtype(values.dtype) or types.is_datetime64_any_dtype(values.dtype)
    return amount and column.role != "boolean" and values.nunique() > BINS


def _brief(edge: Any) -> str:
    return str(edge)[:10] if isinstance(edge, pd.Timestamp) else f"{edge:.4g}"
