"""For which rows a model does worse than for all."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from penstock.components.evaluation.comparisons import LEVEL, holm
from penstock.components.evaluation.intervals import Ends, percentiles, resampled
from penstock.components.evaluation.metrics import Metric
from penstock.components.evaluation.scorers import scorer_of
from penstock.components.evaluation.slices import in_order
from penstock.components.evaluation.unseen import unseen_ends

Array = np.ndarray[Any, Any]

RESAMPLES = 500
MIN_ROWS = 10


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

    Slice and whole are scored on the same resamples, so that what they share cancels out. The probabilities
    (one-sided) are corrected for the number of slices by Holm's method; slices of fewer than ten rows get no verdict.
    """
    if not slices:
        return []
    parts = [
        (column, name, np.flatnonzero(names == name)) for column, names in slices.items() for name in in_order(names)
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
        part, said, counted = part_of(rows)
        value = metric.function(part, said, counted)
        together = None if groups is None else groups[rows]
        unseen = partial(unseen_ends, metric, part, said, groups=together, weight=counted)
        facts = _with_chance(value, whole, drawn[:, place], drawn[:, 0], len(rows), unseen)
        found.append({"column": column, "slice": name, "rows": len(rows), **facts})
    tested = [one for one in found if one["p"] is not None]
    for one, p in zip(tested, holm([one["p"] for one in tested]), strict=True):
        one.update(adjusted=p, worse=p < LEVEL)
    return found


def _with_chance(value: float, whole: float, drawn: Array, of_whole: Array, rows: int, unseen: Ends) -> dict[str, Any]:
    """`behind`: the score of all rows less that of the slice. Nothing of a slice that does not define the metric."""
    nothing = {"value": None, "low": None, "high": None, "behind": None, "p": None, "adjusted": None, "worse": False}
    defined = ~np.isnan(drawn) & ~np.isnan(of_whole)
    if not np.isfinite(value) or defined.sum() < RESAMPLES / 2:
        return nothing
    interval = percentiles(value, drawn[defined], 0.95, unseen)
    behind, error = whole - value, float(np.std((of_whole - drawn)[defined], ddof=1))
    p = float(stats.norm.sf(behind / error)) if error > 0 and rows >= MIN_ROWS else None
    return {**nothing, "value": value, "low": interval.low, "high": interval.high, "behind": behind, "p": p}
