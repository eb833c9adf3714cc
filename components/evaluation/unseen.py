"""What rows that all agree cannot show: errors, or hits, too rare to have been seen.

Resamples of rows that are all right are all right too, so that a bootstrap would call a perfect score certain. Yet of n
rows without an error, the share of errors may be as large as 1 - a^(1/n), which is about 3.7 / n at 95 % (the exact
bound of Clopper and Pearson). The score is taken again with that share of one class wrong, or right: the ends of the
interval are the lowest and the highest of these.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.evaluation.functions import present
from penstock.components.evaluation.metrics import Metric

Array = np.ndarray[Any, Any]


def unseen_share(units: float, confidence: float) -> float:
    """The largest share that so many independent units would miss in (1 - confidence) / 2 of all cases."""
    return float(1 - ((1 - confidence) / 2) ** (1 / units))


def effective_units(n_rows: int, groups: Array | None = None, weight: Array | None = None) -> float:
    """How many rows (or groups) that count alike these are worth: (sum of w)^2 / sum of w^2 (Kish, 1965)."""
    weights = np.ones(n_rows) if weight is None else np.asarray(weight, dtype=np.float64)
    if groups is not None:
        weights = np.bincount(pd.factorize(groups, use_na_sentinel=False)[0], weights).astype(np.float64)
    return float(weights.sum() ** 2 / (weights**2).sum()) if weights.any() else 0.0


def unseen_ends(
    metric: Metric,
    y: Array,
    prediction: Array,
    confidence: float,
    *,
    groups: Array | None = None,
    weight: Array | None = None,
) -> tuple[float, float]:
    """The lowest and the highest score that these rows do not rule out, though they all agree.

    The score itself where nothing bounds what is unseen: a regression that never errs may err by anything. And where
    the model says the same of every row: there is nothing else that it could say.
    """
    value = metric.function(y, prediction, weight)
    if prediction.ndim == 1 or (prediction == prediction[0]).all():
        return value, value
    weights = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=np.float64)
    scores = [value]
    for code in present(y, weight):
        rows = np.flatnonzero((y == code) & (weights > 0))
        units = effective_units(len(rows), None if groups is None else groups[rows], weights[rows])
        share = unseen_share(units, confidence)
        counted = weights.copy()
        counted[rows] *= 1 - share
        for otherwise in _extremes(metric, prediction, code):
            scores.append(
                metric.function(
                    np.concatenate([y, y[rows]]),
                    np.concatenate([prediction, np.tile(otherwise, (len(rows), 1))]),
                    np.concatenate([counted, share * weights[rows]]),
                )
            )
    known = [score for score in scores if not np.isnan(score)]
    return min(known), max(known)


def _extremes(metric: Metric, prediction: Array, code: int) -> tuple[Array, Array]:
    """The most wrong and the most right that the model could say of a row of this class, as far as it is known to."""
    if metric.response == "labels":
        others = np.delete(np.arange(prediction.shape[1]), code)
        sure = np.eye(prediction.shape[1])
        return sure[others[prediction[:, others].sum(axis=0).argmax()]], sure[code]
    of_class = prediction[:, code]
    return prediction[of_class.argmin()], prediction[of_class.argmax()]
