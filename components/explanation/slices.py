"""For which rows a model does worse than for all."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types
from scipy import stats

from penstock.components.evaluation.comparisons import LEVEL, holm
from penstock.components.evaluation.intervals import resampled
from penstock.components.evaluation.metrics import Metric
from penstock.components.evaluation.scorers import scorer_of
from penstock.components.schema import Column, Schema, numbers
from penstock.errors import DataError, did_you_mean

Array = np.ndarray[Any, Any]

RESAMPLES = 500
BINS = 4
MOST_SLICES = 20
FEWEST_ROWS = 10
MISSING = "(missing)"


def require_sliceable(frame: pd.DataFrame, schema: Schema, names: list[str], where: str) -> None:
    """Refuse columns that cut the rows into one part, or into too many to tell anything of each."""
    for name in names:
        if name not in frame.columns or name == schema.target:
            known = [column.name for column in schema.columns if column.role != "target"]
            what = "is the target" if name == schema.target else "is no column of the data"
            raise DataError("PEN043", f"'{name}' {what}", where=where, remedy=did_you_mean(name, known))
        column = schema.column(name)
        values = _read(frame[name], column)
        found = values.nunique()
        if found < 2:
            raise DataError(
                "PEN044",
                f"'{name}' has {'one value' if found else 'no value'} in the learning rows: nothing to compare",
                where=where,
                remedy=f"name a column with at least two values, or leave '{name}' out",
            )
        if not _binned(values, column) and found > MOST_SLICES:
            raise DataError(
                "PEN044",
                f"'{name}' has {found} different values, too many for a slice each",
                where=where,
                remedy=f"name a column of numbers, dates or at most {MOST_SLICES} levels; or put levels together first",
            )


def slice_of_rows(values: pd.Series[Any], learnt: pd.Series[Any], column: Column) -> pd.Series[Any]:
    """The slice of each row: its level, or the quarter of the learning rows that its number or date falls into."""
    values, learnt = _read(values, column), _read(learnt, column)
    if not _binned(learnt, column):
        names = values.map(_level, na_action="ignore")
        if column.role == "boolean" and column.levels:
            names = values.map(dict(enumerate(column.levels)))
        return names.astype(object).where(values.notna(), MISSING)
    if pd.api.types.is_numeric_dtype(learnt) and not pd.api.types.is_numeric_dtype(values):
        values = pd.to_numeric(values, errors="coerce")  # words that the learning rows do not have
    known = learnt.dropna().sort_values()
    places = (np.linspace(0, 1, BINS + 1)[1:-1] * (len(known) - 1)).round().astype(int)
    edges = known.iloc[places].drop_duplicates()
    words = [_shown(edge) for edge in edges]
    words = words if len(set(words)) == len(words) else [str(edge) for edge in edges]
    labels = [f"up to {words[0]}", *(f"{low} to {high}" for low, high in pairwise(words)), f"above {words[-1]}"]
    bins = np.searchsorted(edges.to_numpy(), values.to_numpy(), side="left").clip(0, len(edges))
    named = pd.Series(
        pd.Categorical.from_codes(bins.tolist(), pd.Index(labels)), index=values.index
    ).cat.add_categories(MISSING)
    return named.where(values.notna(), MISSING)


def slice_scores(
    metric: Metric,
    y: Array,
    prediction: Array,
    slices: Mapping[str, pd.Series[Any]],
    *,
    groups: Array | None = None,
    weight: Array | None = None,
    seed: int,
) -> list[dict[str, Any]]:
    """The score of each slice, its interval, and whether it is below that of all rows by more than chance.

    Slice and whole are scored on the same resamples, so that what they share cancels out. The chances (one-sided) are
    corrected for the number of slices by Holm's method; slices of fewer than ten rows get no verdict.
    """
    if not slices:
        return []
    parts = [
        (column, name, np.flatnonzero(names == name)) for column, names in slices.items() for name in _in_order(names)
    ]
    everything = np.arange(len(y))

    def part_of(rows: Array) -> tuple[Array, Array, Array | None]:
        return y[rows], prediction[rows], None if weight is None else weight[rows]

    scorers = [(rows, scorer_of(metric, *part_of(rows))) for rows in (everything, *(rows for _, _, rows in parts))]
    drawn = np.concatenate(
        [
            np.stack([scorer(weights[:, rows]) for rows, scorer in scorers], axis=1)
            for weights in resampled(len(y), groups, seed, RESAMPLES)
        ]
    )
    whole = metric.function(*part_of(everything))
    found = []
    for place, (column, name, rows) in enumerate(parts, start=1):
        value = metric.function(*part_of(rows))
        facts = _with_chance(value, whole, drawn[:, place], drawn[:, 0], len(rows))
        found.append({"column": column, "slice": name, "rows": len(rows), **facts})
    tested = [one for one in found if one["p"] is not None]
    for one, p in zip(tested, holm([one["p"] for one in tested]), strict=True):
        one.update(adjusted=p, worse=p < LEVEL)
    return found


def _with_chance(value: float, whole: float, drawn: Array, of_whole: Array, rows: int) -> dict[str, Any]:
    """`behind`: the score of all rows less that of the slice. Nothing of a slice that does not define the metric."""
    nothing = {"value": None, "low": None, "high": None, "behind": None, "p": None, "adjusted": None, "worse": False}
    defined = ~np.isnan(drawn) & ~np.isnan(of_whole)
    if not np.isfinite(value) or defined.sum() < RESAMPLES / 2:
        return nothing
    low, high = np.quantile(drawn[defined], [0.025, 0.975])
    behind, error = whole - value, float(np.std((of_whole - drawn)[defined], ddof=1))
    p = float(stats.norm.sf(behind / error)) if error > 0 and rows >= FEWEST_ROWS else None
    return {**nothing, "value": value, "low": float(low), "high": float(high), "behind": behind, "p": p}


def _in_order(names: pd.Series[Any]) -> list[str]:
    """Levels by name and bins from low to high, missing last."""
    found = list(names.cat.categories) if isinstance(names.dtype, pd.CategoricalDtype) else sorted(names.unique())
    present = set(names)
    return sorted((name for name in found if name in present), key=lambda name: name == MISSING)


def _read(values: pd.Series[Any], column: Column) -> pd.Series[Any]:
    """What is left out as a feature is kept as text, even if it is numbers."""
    read = numbers(values) if column.role == "ignore" else values
    return read if read.notna().sum() == values.notna().sum() else values


def _binned(values: pd.Series[Any], column: Column) -> bool:
    """Numbers and dates with more than a few values are cut at their quartiles."""
    amount = types.is_numeric_dtype(values.dtype) or types.is_datetime64_any_dtype(values.dtype)
    return amount and column.role != "boolean" and values.nunique() > BINS


def _level(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _shown(edge: Any) -> str:
    return str(edge)[:10] if isinstance(edge, pd.Timestamp) else f"{edge:.4g}"
