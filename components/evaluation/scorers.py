"""Scores of many resamples at once.

A resample is a row of weights: how often each row of the data was drawn. Scores are then sums of products over many
resamples, instead of a thousand calls of a metric.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from penstock.components.evaluation.counts import Counts, counted
from penstock.components.evaluation.functions import (
    cheapest,
    cost_matrix,
    decided,
    in_top,
    present,
    signed_log_odds,
)
from penstock.components.evaluation.metrics import Metric

Array = np.ndarray[Any, Any]
Floats = NDArray[np.float64]
Scorer = Callable[[Array], Floats]
"""Scores of a matrix of weights, one per row of it; NaN where the drawn rows do not define the metric.

Weights are counts, in as few bits as hold them, or any numbers where rows have weights of their own.
"""


def scorer_of(metric: Metric, y: Array, prediction: Array, weight: Array | None = None) -> Scorer:
    """The metric over matrices of weights; what depends on y and prediction alone is done once, here.

    `weight`: of the rows themselves, by which each of their draws counts. A metric that is not known here is asked for
    every resample.
    """
    score = _scorer(metric, y, prediction)
    if score is None:
        one_by_one = metric.function
        return lambda counts: np.array([one_by_one(y, prediction, row) for row in _floats(_times(counts, weight))])

    def quietly(counts: Array) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            return score(_times(counts, weight))

    return quietly


def scorer_by_parts(metric: Metric, y: Array, prediction: Array, parts: Array, weight: Array | None = None) -> Scorer:
    """The mean over the parts of the rows that define the metric, as scores of folds are averaged."""
    rows_of_parts = [np.flatnonzero(parts == part) for part in np.unique(parts)]
    scorers = [
        partial(_on_rows, rows, scorer_of(metric, y[rows], prediction[rows], None if weight is None else weight[rows]))
        for rows in rows_of_parts
    ]
    mean = _mean_of(list[Scorer](scorers))

    def quietly(counts: Array) -> Floats:
        with np.errstate(invalid="ignore"):
            return mean(counts)

    return quietly


def _on_rows(rows: Array, scorer: Scorer, counts: Array) -> Floats:
    return scorer(counts.take(rows, axis=1))


def _scorer(metric: Metric, y: Array, prediction: Array) -> Scorer | None:
    of_counts = counted(metric.family, metric.given)
    if of_counts is not None:
        counts = _counts(y, decided(prediction))
        return lambda weights: of_counts(counts(weights))
    if metric.family in _SCORERS:
        return _SCORERS[metric.family](y, prediction, *metric.given)
    return None


def _times(counts: Array, weight: Array | None) -> Array:
    return counts if weight is None else counts * weight


def _floats(weights: Array) -> Floats:
    return np.asarray(weights, np.float64)


def _mean(values: Floats) -> Scorer:
    # einsum, not BLAS, whose last bits hang on the number of threads
    return lambda weights: np.einsum("rn,n->r", _floats(weights), values) / weights.sum(axis=1)


def _counts(y: Array, guess: Array) -> Callable[[Array], Counts]:
    """Of each class that occurs, in every resample."""
    codes = np.union1d(y, guess)
    cells, cell_of_row = np.unique(np.stack([y, guess]), axis=1, return_inverse=True)
    order = np.argsort(cell_of_row, kind="stable")
    starts = np.searchsorted(cell_of_row[order], np.arange(cells.shape[1]))
    is_true, is_guessed = (cells[:, :, None] == codes).astype(np.float64)

    def counts(weights: Array) -> Counts:
        in_cell = np.add.reduceat(weights.take(order, axis=1), starts, axis=1)
        return Counts(in_cell @ is_true, in_cell @ is_guessed, in_cell @ (is_true * is_guessed), codes)

    return counts


def _neg_cost(y: Array, prediction: Array, *costs: float) -> Scorer:
    matrix = cost_matrix(costs, prediction.shape[1])
    return _mean(-matrix[y, cheapest(prediction, matrix)])


def _top_k_accuracy(y: Array, prediction: Array, k: float) -> Scorer:
    return _mean(in_top(y, prediction, k).astype(np.float64))


def _log_likelihood(y: Array, prediction: Array) -> Floats:
    smallest = np.finfo(prediction.dtype).eps
    likelihood: Floats = np.log(np.clip(prediction[np.arange(len(y)), y], smallest, 1 - smallest))
    return likelihood


def _neg_log_loss(y: Array, prediction: Array) -> Scorer:
    return _mean(_log_likelihood(y, prediction))


def _neg_hinge_loss(y: Array, prediction: Array) -> Scorer:
    return _mean(-np.maximum(0.0, 1 - signed_log_odds(y, prediction)))


def _squared_distance(y: Array, prediction: Array) -> Floats:
    n_classes = prediction.shape[1]
    loss: Floats = ((prediction - np.eye(n_classes)[y]) ** 2).sum(axis=1)
    return loss / 2 if n_classes == 2 else loss


def _neg_brier_score(y: Array, prediction: Array) -> Scorer:
    return _mean(-_squared_distance(y, prediction))


def _shares_of_classes(y: Array, n_classes: int) -> Scorer:
    is_class = np.eye(n_classes)[y]

    def shares(weights: Array) -> Floats:
        share: Floats = np.einsum("rn,nk->rk", _floats(weights), is_class) / weights.sum(axis=1, keepdims=True)
        return share

    return shares


def _d2_log_loss_score(y: Array, prediction: Array) -> Scorer:
    loss, shares = _mean(-_log_likelihood(y, prediction)), _shares_of_classes(y, prediction.shape[1])

    def score(weights: Array) -> Floats:
        share = shares(weights)
        null = -(share * np.log(np.where(share > 0, share, 1.0))).sum(axis=1)
        return 1 - loss(weights) / np.where(null > 0, null, np.nan)

    return score


def _d2_brier_score(y: Array, prediction: Array) -> Scorer:
    n_classes = prediction.shape[1]
    loss, shares = _mean(_squared_distance(y, prediction)), _shares_of_classes(y, n_classes)

    def score(weights: Array) -> Floats:
        null = (1 - (shares(weights) ** 2).sum(axis=1)) / (2 if n_classes == 2 else 1)
        return 1 - loss(weights) / np.where(null > 1e-12, null, np.nan)

    return score


def _roc_auc(y: Array, prediction: Array) -> Scorer:
    return _ordered_pairs(y == 1, y != 1, prediction[:, 1])


def _roc_auc_ovr(y: Array, prediction: Array) -> Scorer:
    return _mean_of([_ordered_pairs(y == code, y != code, prediction[:, code]) for code in present(y)])


def _roc_auc_ovo(y: Array, prediction: Array) -> Scorer:
    pairs = permutations(present(y), 2)
    return _mean_of([_ordered_pairs(y == first, y == second, prediction[:, first]) for first, second in pairs])


def _mean_of(scorers: list[Scorer]) -> Scorer:
    """Over those that are defined."""

    def score(weights: Array) -> Floats:
        if not scorers:
            return np.full(len(weights), np.nan)
        each = np.stack([scorer(weights) for scorer in scorers])
        mean: Floats = np.nansum(each, axis=0) / (~np.isnan(each)).sum(axis=0)
        return mean

    return score


def _ordered_pairs(positive: Array, negative: Array, score: Array) -> Scorer:
    """The area under the ROC curve: the share of (positive, negative) pairs in right order, ties counting half."""
    positives, negatives = np.flatnonzero(positive), np.flatnonzero(negative)
    negatives = negatives[np.argsort(score[negatives], kind="stable")]
    below = np.searchsorted(score[negatives], score[positives], side="left")
    not_above = np.searchsorted(score[negatives], score[positives], side="right")
    tied = not np.array_equal(below, not_above)

    def area(weights: Array) -> Floats:
        passed = _running(weights, negatives, start=1)
        ours = weights.take(positives, axis=1)
        halves = passed.take(below, axis=1)
        halves += passed.take(not_above, axis=1) if tied else halves
        pairs = ours.sum(axis=1, dtype=np.float64) * passed[:, -1]
        share: Floats = np.einsum("rp,rp->r", ours, halves, dtype=np.float64) / (2 * pairs)
        return share

    return area


def _running(weights: Array, order: Array, start: int = 0) -> Array:
    """Sums of the weights in this order, after `start` zeros. Those of counts are counts: four times as quick."""
    kind = np.int32 if weights.dtype.kind == "u" else np.float64
    sums = np.zeros((len(weights), start + len(order)), kind)
    np.cumsum(weights.take(order, axis=1), axis=1, dtype=kind, out=sums[:, start:])
    return sums


def _average_precision(y: Array, prediction: Array) -> Scorer:
    """Precision at each score that a positive has, weighted by the positives there."""
    score = prediction[:, 1]
    order = np.argsort(-score, kind="stable")
    positives = order[y[order] == 1]
    levels, starts = np.unique(-score[positives], return_index=True)
    last_of_level = np.searchsorted(-score[order], levels, side="right") - 1

    def area(weights: Array) -> Floats:
        if not len(positives):
            return np.full(len(weights), np.nan)
        chosen = _running(weights, order).take(last_of_level, axis=1)
        hits = np.add.reduceat(weights.take(positives, axis=1), starts, axis=1)
        found = np.cumsum(hits, axis=1)
        precision = np.where(chosen > 0, found / chosen, 0.0)
        mean: Floats = np.einsum("rl,rl->r", hits, precision) / found[:, -1]
        return mean

    return area


def _neg_mean_absolute_error(y: Array, prediction: Array) -> Scorer:
    return _mean(-np.abs(y - prediction))


def _neg_mean_absolute_percentage_error(y: Array, prediction: Array) -> Scorer:
    return _mean(-np.abs(y - prediction) / np.maximum(np.abs(y), np.finfo(np.float64).eps))


def _neg_mean_pinball_loss(y: Array, prediction: Array, alpha: float) -> Scorer:
    left_over = y - prediction
    return _mean(-np.where(left_over >= 0, alpha * left_over, (alpha - 1) * left_over))


def _neg_epsilon_insensitive_loss(y: Array, prediction: Array, epsilon: float) -> Scorer:
    return _mean(-np.maximum(0.0, np.abs(y - prediction) - epsilon))


def _neg_mean_squared_error(y: Array, prediction: Array) -> Scorer:
    return _mean(-((y - prediction) ** 2))


def _neg_root_mean_squared_error(y: Array, prediction: Array) -> Scorer:
    mean = _mean((y - prediction) ** 2)
    return lambda weights: -np.sqrt(mean(weights))


def _neg_max_error(y: Array, prediction: Array) -> Scorer:
    error = np.abs(y - prediction)
    return lambda weights: -np.where(weights > 0, error, 0.0).max(axis=1)


def _medians(values: Array) -> Scorer:
    """Of each resample; midway between two where half of the weight lies on either side."""
    order = np.argsort(values, kind="stable")
    sorted_values = values[order]

    def median(weights: Array) -> Floats:
        passed = _running(weights, order)
        half = passed[:, -1:] / 2
        slack = 1e-12 * half
        lower, upper = ((passed >= limit).argmax(axis=1) for limit in (half - slack, half + slack))
        middle: Floats = (sorted_values[lower] + sorted_values[upper]) / 2
        return middle

    return median


def _neg_median_absolute_error(y: Array, prediction: Array) -> Scorer:
    median = _medians(np.abs(y - prediction))
    return lambda weights: -median(weights)


def _d2_absolute_error_score(y: Array, prediction: Array) -> Scorer:
    error, median = _mean(np.abs(y - prediction)), _medians(y)

    def score(weights: Array) -> Floats:
        spread = np.einsum("rn,rn->r", _floats(weights), np.abs(y - median(weights)[:, None])) / weights.sum(axis=1)
        return 1 - error(weights) / np.where(spread > 0, spread, np.nan)

    return score


def _variance(values: Array) -> Scorer:
    """About the mean of each resample; nothing where the drawn values are all alike."""
    centred = values - values.mean()
    first, second = _mean(centred), _mean(centred**2)

    def spread(weights: Array) -> Floats:
        moment = second(weights)
        variance = moment - first(weights) ** 2
        return np.where(variance > 1e-12 * moment, variance, np.nan)

    return spread


def _r2(y: Array, prediction: Array) -> Scorer:
    error, variance = _mean((y - prediction) ** 2), _variance(y)
    return lambda weights: 1 - error(weights) / variance(weights)


def _explained_variance(y: Array, prediction: Array) -> Scorer:
    left_over, variance = _variance(y - prediction), _variance(y)
    return lambda weights: 1 - np.nan_to_num(left_over(weights)) / variance(weights)


_SCORERS: dict[str, Callable[..., Scorer]] = {
    "roc_auc": _roc_auc,
    "roc_auc_ovr": _roc_auc_ovr,
    "roc_auc_ovo": _roc_auc_ovo,
    "average_precision": _average_precision,
    "top_k_accuracy": _top_k_accuracy,
    "neg_cost": _neg_cost,
    "neg_log_loss": _neg_log_loss,
    "neg_brier_score": _neg_brier_score,
    "neg_hinge_loss": _neg_hinge_loss,
    "d2_log_loss_score": _d2_log_loss_score,
    "d2_brier_score": _d2_brier_score,
    "r2": _r2,
    "explained_variance": _explained_variance,
    "neg_mean_squared_error": _neg_mean_squared_error,
    "neg_root_mean_squared_error": _neg_root_mean_squared_error,
    "neg_mean_absolute_error": _neg_mean_absolute_error,
    "neg_median_absolute_error": _neg_median_absolute_error,
    "d2_absolute_error_score": _d2_absolute_error_score,
    "neg_mean_absolute_percentage_error": _neg_mean_absolute_percentage_error,
    "neg_mean_pinball_loss": _neg_mean_pinball_loss,
    "neg_epsilon_insensitive_loss": _neg_epsilon_insensitive_loss,
    "neg_max_error": _neg_max_error,
}
