"""Candidates that need not be fitted on every fold, because the first one shows that they cannot win."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict
from scipy import stats

from penstock.components.evaluation.intervals import resampled
from penstock.components.evaluation.metrics import Metric
from penstock.components.evaluation.scorers import scorer_of

Array = np.ndarray[Any, Any]

ERROR_RATE = 0.001
"""Chance, over the whole search, that chance alone ends a candidate that is as good as the leader."""

RESAMPLES = 300


class Gap(BaseModel):
    """How far a candidate is behind, and the most that chance would explain."""

    model_config = ConfigDict(frozen=True)

    behind: float
    explained: float


def prunable(
    metric: Metric,
    y: Array,
    predictions: Sequence[Array],
    *,
    groups: Array | None = None,
    weight: Array | None = None,
    seed: int,
    candidates: int,
    test_to_train: float,
) -> tuple[int, dict[int, Gap]]:
    """The leader on these rows, and the candidates that are behind it by more than chance explains.

    The test is a paired one: the difference to the leader, against its standard error over resampled rows (or groups).
    The error is widened as Nadeau and Bengio (2003) do for folds that share training rows, since other training rows
    would change the difference too; `test_to_train` is the number of validation rows per training row. The t quantile
    is that of ERROR_RATE shared among all candidates of the search.
    """
    scores = np.array([metric.function(y, prediction, weight) for prediction in predictions])
    units = len(y) if groups is None else len(np.unique(groups))
    if np.isnan(scores).all() or units < 2:
        return 0, {}
    leader = int(np.nanargmax(scores))
    scorers = [scorer_of(metric, y, prediction, weight) for prediction in predictions]
    drawn = np.concatenate(
        [
            np.stack([scorer(weights) for scorer in scorers], axis=1)
            for weights in resampled(len(y), groups, seed, RESAMPLES)
        ]
    )
    drawn = drawn[~np.isnan(drawn[:, leader])]
    quantile = stats.t.ppf(1 - ERROR_RATE / candidates, units - 1)
    widened = math.sqrt(1 + test_to_train)
    gaps = {}
    for position, score in enumerate(scores):
        error = float(np.std(drawn[:, leader] - drawn[:, position], ddof=1)) if len(drawn) > 1 else math.nan
        gap = Gap(behind=float(scores[leader] - score), explained=float(quantile * widened * error))
        if 0 < gap.explained < gap.behind:
            gaps[position] = gap
    return leader, gaps
