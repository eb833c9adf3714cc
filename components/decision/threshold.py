"""The threshold of two classes: what each would score, and which is best."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from penstock.components.evaluation.counts import Counts, counted
from penstock.components.evaluation.metrics import Metric

Array = np.ndarray[Any, Any]
Floats = NDArray[np.float64]

MAX_POINTS = 200
USUAL = 0.5


class ThresholdCurve(BaseModel):
    """Scores over thresholds, thinned for drawing; the best one and its score; the score at 0.5."""

    model_config = ConfigDict(frozen=True)

    thresholds: list[float]
    scores: list[float]
    best: float
    best_score: float
    usual_score: float


def threshold_scores(
    metric: Metric, y: Array, probability: Array, thresholds: Floats, weight: Array | None = None
) -> Floats:
    """The metric where the positive class is answered above each threshold."""
    weights = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=np.float64)
    order = np.argsort(probability, kind="stable")
    below = np.searchsorted(probability[order], thresholds, side="right")
    negatives, positives = (np.append(0.0, np.cumsum((weights * (y == code))[order])) for code in (0, 1))
    true_negatives, false_negatives = negatives[below], positives[below]
    true = np.broadcast_to([negatives[-1], positives[-1]], (len(thresholds), 2))
    right = np.column_stack([true_negatives, positives[-1] - false_negatives])
    answered_no = true_negatives + false_negatives
    guessed = np.column_stack([answered_no, true.sum(axis=1) - answered_no])
    counts = Counts(np.asarray(true, dtype=np.float64), guessed, right, np.arange(2))
    if metric.family == "neg_cost":
        costs = np.reshape(metric.given, (2, 2)) if metric.given else 1 - np.eye(2)
        false_alarms = negatives[-1] - true_negatives
        cost: Floats = (costs[0, 1] * false_alarms + costs[1, 0] * false_negatives) / weights.sum()
        return -cost
    score = counted(metric.family, metric.given)
    assert score is not None, metric.name
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.nan_to_num(score(counts), nan=-np.inf)


def threshold_curve(metric: Metric, y: Array, probability: Array, weight: Array | None = None) -> ThresholdCurve:
    """Over all thresholds that change an answer: midway between two probabilities that occur.

    Of equally good thresholds the middle of the longest run is taken: it is the furthest from doing worse.
    """
    levels = np.unique(probability)
    midway = (levels[1:] + levels[:-1]) / 2
    thresholds = np.concatenate([[0.0] if levels[0] > 0 else [], midway, [max(levels[-1], USUAL)]])
    scores = threshold_scores(metric, y, probability, thresholds, weight)
    start, end = _longest_run(scores >= scores.max() - 1e-12)
    best = float((thresholds[start] + thresholds[end]) / 2)
    found, usual = threshold_scores(metric, y, probability, np.array([best, USUAL]), weight)
    kept = np.unique(np.linspace(0, len(thresholds) - 1, MAX_POINTS).round().astype(int))
    drawn = np.isfinite(scores[kept])
    return ThresholdCurve(
        thresholds=thresholds[kept][drawn].tolist(),
        scores=scores[kept][drawn].tolist(),
        best=best,
        best_score=float(found),
        usual_score=float(usual),
    )


def _longest_run(good: Array) -> tuple[int, int]:
    """First and last place of the longest run of true values; of equals the first."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], good, [False]]).astype(np.int8)))
    starts, ends = edges[::2], edges[1::2]
    longest = int(np.argmax(ends - starts))
    return int(starts[longest]), int(ends[longest]) - 1
