"""Ensembles of candidates, from their stored predictions for rows that their fits had not seen: no new fits.

All three are weighted means: of probabilities, which stay probabilities, or of values. What differs is the weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from penstock.components.evaluation.metrics import Metric

Array = np.ndarray[Any, Any]
Floats = NDArray[np.float64]
Kind = Literal["voting", "stacking", "greedy"]

VOTERS = 3
MAX_MEMBERS = 10
ROUNDS = 20
MIN_WEIGHT = 0.01


class Rows(NamedTuple):
    """What is known of some rows: the truth, their weights, and each member's predictions, one after the other."""

    y: Array
    weight: Array | None
    predictions: Array


def combine(weights: Floats, predictions: Array) -> Array:
    """The weighted mean over members. By einsum, not BLAS, whose last bits hang on the number of threads."""
    mean: Array = np.einsum("m,m...->...", weights, predictions)
    return mean


def weigh(kind: Kind, metric: Metric, rows: Rows, methods: Sequence[str]) -> Floats:
    """Weights of the members, which sum to one, trained on these rows; equal ones where there are no rows.

    `methods`: of the members. Of many members only the ten that are best on these rows are considered, and what would
    get less than a hundredth is left out: every member has to be fitted again if the ensemble wins.
    """
    if not len(rows.y):
        return np.full(len(methods), 1 / len(methods))
    scores = [metric.function(rows.y, one, rows.weight) for one in rows.predictions]
    order = sorted(range(len(methods)), key=lambda member: (np.isnan(scores[member]), -scores[member]))
    considered = _one_of_each(order, methods) if kind == "voting" else order[:MAX_MEMBERS]
    part = rows._replace(predictions=rows.predictions[considered])
    weights = np.zeros(len(methods))
    weights[considered] = _WEIGHTS[kind](metric, part)
    weights[weights < MIN_WEIGHT] = 0
    normed: Floats = weights / weights.sum()
    return normed


def cross_fitted(
    rows: Rows, learn: Callable[[Rows], Floats], folds: Array, units: Array, *, ordered: bool = False
) -> Array:
    """The ensemble's predictions, each with weights that were trained on other rows than those of its part.

    `folds`: the part of each row. `units`: what must not stand on both sides, such as the row that was evaluated in
    several folds, or its group. `ordered`: weights are trained on earlier parts alone.
    """
    combined: Array = np.empty_like(rows.predictions[0])
    for part in np.unique(folds):
        judged = folds == part
        taught = folds < part if ordered else ~np.isin(units, units[judged])
        weight = None if rows.weight is None else rows.weight[taught]
        weights = learn(Rows(rows.y[taught], weight, rows.predictions[:, taught]))
        combined[judged] = combine(weights, rows.predictions[:, judged])
    return combined


def _one_of_each(order: Sequence[int], methods: Sequence[str]) -> list[int]:
    """The best member of each method, of at most three methods."""
    best: dict[str, int] = {}
    for member in order:
        best.setdefault(methods[member], member)
    return list(best.values())[:VOTERS]


def _equal(metric: Metric, rows: Rows) -> Floats:
    return np.full(len(rows.predictions), 1 / len(rows.predictions))


def _least_squares(metric: Metric, rows: Rows) -> Floats:
    """Stacking by least squares with weights that are not negative (Breiman, 1996; van der Laan and others, 2007)."""
    classes = rows.predictions.ndim == 3
    truth = np.eye(rows.predictions.shape[2])[rows.y] if classes else rows.y.astype(np.float64)
    size = np.ones(len(rows.y)) if rows.weight is None else np.sqrt(rows.weight)
    size = size[:, None] if classes else size
    design = (rows.predictions * size).reshape(len(rows.predictions), -1).T
    weights, _ = nnls(design, (truth * size).ravel())
    return weights / weights.sum() if weights.sum() > 0 else _equal(metric, rows)


def _greedy(metric: Metric, rows: Rows) -> Floats:
    """Selection with replacement (Caruana and others, 2004): the member that helps most is added, again and again."""
    times = np.zeros(len(rows.predictions))
    total = np.zeros_like(rows.predictions[0])
    best, found = -np.inf, times
    for size in range(1, ROUNDS + 1):
        scores = [metric.function(rows.y, (total + one) / size, rows.weight) for one in rows.predictions]
        member = int(np.argmax(np.nan_to_num(scores, nan=-np.inf)))
        times[member] += 1
        total = total + rows.predictions[member]
        if scores[member] > best:
            best, found = scores[member], times.copy()
    return found / found.sum() if found.sum() else _equal(metric, rows)


_WEIGHTS: dict[Kind, Callable[[Metric, Rows], Floats]] = {
    "voting": _equal,
    "stacking": _least_squares,
    "greedy": _greedy,
}
