"""How sure a score is: percentile bootstrap, all resamples at once.

A resample is a row of weights: how often each row of the data was drawn. Scores are then sums of products over many
resamples, instead of a thousand calls of a metric.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from penstock.components.evaluation.metrics import Metric, decided, present
from penstock.errors import DataError

Array = np.ndarray[Any, Any]
Floats = NDArray[np.float64]
Scorer = Callable[[Floats], Floats]
"""Scores of a matrix of weights, one per row of it; NaN where the drawn rows do not define the metric."""

WEIGHTS_AT_ONCE = 500_000  # keeps a block of weights in the processor's cache


class Interval(BaseModel):
    model_config = ConfigDict(frozen=True)

    value: float
    low: float
    high: float
    confidence: float


def bootstrap_interval(
    metric: Metric,
    y: Array,
    prediction: Array,
    *,
    groups: Array | None = None,
    weight: Array | None = None,
    seed: int,
    resamples: int = 1000,
    confidence: float = 0.95,
) -> Interval:
    """The score and its percentile interval. With groups, whole groups are drawn: their rows are not independent."""
    value = require_score(metric, y, prediction, weight)
    scorer = scorer_of(metric, y, prediction, weight)
    scores = [scorer(weights) for weights in resampled(len(y), groups, seed, resamples)]
    return percentiles(value, require_defined(metric, scores), confidence)


def paired_interval(
    metric: Metric,
    y: Array,
    challenger: Array,
    champion: Array,
    *,
    groups: Array | None = None,
    weight: Array | None = None,
    seed: int,
    resamples: int = 1000,
    confidence: float = 0.95,
) -> Interval:
    """The challenger's score less the champion's, both on the same resamples: what they share cancels out."""
    value = require_score(metric, y, challenger, weight) - require_score(metric, y, champion, weight)
    ours, theirs = scorer_of(metric, y, challenger, weight), scorer_of(metric, y, champion, weight)
    differences = [ours(weights) - theirs(weights) for weights in resampled(len(y), groups, seed, resamples)]
    return percentiles(value, require_defined(metric, differences), confidence)


def mean_interval(values: Array, *, seed: int, resamples: int = 1000, confidence: float = 0.95) -> Interval:
    """Of a mean over rows."""
    means = np.concatenate(
        [
            np.einsum("rn,n->r", weights, values) / len(values)
            for weights in resampled(len(values), None, seed, resamples)
        ]
    )
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(value=float(np.mean(values)), low=float(low), high=float(high), confidence=confidence)


def resampled(n_rows: int, groups: Array | None, seed: int, resamples: int) -> Iterator[Floats]:
    """Blocks of weights, (resamples of the block, rows). Groups are drawn whole."""
    unit_of_row = None if groups is None else pd.factorize(groups, use_na_sentinel=False)[0]
    n_units = n_rows if unit_of_row is None else len(np.unique(unit_of_row))
    if n_units < 2:
        raise DataError(
            "PEN129",
            f"{n_rows} row(s)" + ("" if groups is None else f" of {n_units} group(s)") + " tell nothing of chance",
            where="evaluation",
            remedy="judge on at least two " + ("rows" if groups is None else "groups") + ": take a larger part for it",
        )
    rng = np.random.default_rng(seed)
    at_once = max(1, WEIGHTS_AT_ONCE // n_rows)
    for start in range(0, resamples, at_once):
        size = min(at_once, resamples - start)
        drawn = rng.integers(n_units, size=(size, n_units)) + n_units * np.arange(size)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=size * n_units).reshape(size, n_units).astype(np.float64)
        yield counts if unit_of_row is None else counts.take(unit_of_row, axis=1)


def require_score(metric: Metric, y: Array, prediction: Array, weight: Array | None = None) -> float:
    defined = len(y) and (weight is None or weight.any())
    value = metric.function(y, prediction, weight) if defined else float("nan")
    if np.isnan(value):
        raise _undefined(metric)
    return value


def require_defined(metric: Metric, blocks: list[Floats]) -> Floats:
    """The scores of all blocks, without the resamples that do not define the metric, such as those of one class."""
    scores = np.concatenate(blocks)
    defined = scores[~np.isnan(scores)]
    if not len(defined):
        raise _undefined(metric)
    return defined


def percentiles(value: float, scores: Floats, confidence: float) -> Interval:
    low, high = np.quantile(scores, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(value=value, low=float(low), high=float(high), confidence=confidence)


def scorer_of(metric: Metric, y: Array, prediction: Array, weight: Array | None = None) -> Scorer:
    """The metric over matrices of weights; what depends on y and prediction alone is done once, here.

    `weight`: of the rows themselves, by which each of their draws counts.
    """
    if metric.name not in _SCORERS:
        one_by_one = metric.function
        return lambda counts: np.array([one_by_one(y, prediction, row) for row in _times(counts, weight)])
    score = _SCORERS[metric.name](y, prediction)

    def quietly(counts: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            return score(_times(counts, weight))

    return quietly


def _times(counts: Floats, weight: Array | None) -> Floats:
    return counts if weight is None else counts * weight


def _undefined(metric: Metric) -> DataError:
    return DataError(
        "PEN129",
        f"the {metric.label} is not defined on these rows: they are too few or too much alike",
        where=f"metric '{metric.name}'",
        remedy="judge on more rows, of more than one class or value, or choose another metric",
    )


def _mean(values: Floats) -> Scorer:
    # einsum, not BLAS, whose last bits hang on the number of threads
    return lambda weights: np.einsum("rn,n->r", weights, values) / weights.sum(axis=1)


def _accuracy(y: Array, prediction: Array) -> Scorer:
    return _mean((decided(prediction) == y).astype(np.float64))


def _neg_log_loss(y: Array, prediction: Array) -> Scorer:
    smallest = np.finfo(prediction.dtype).eps
    return _mean(np.log(np.clip(prediction[np.arange(len(y)), y], smallest, 1 - smallest)))


def _neg_brier_score(y: Array, prediction: Array) -> Scorer:
    n_classes = prediction.shape[1]
    loss = ((prediction - np.eye(n_classes)[y]) ** 2).sum(axis=1)
    return _mean(-loss / 2 if n_classes == 2 else -loss)


def _neg_mean_absolute_error(y: Array, prediction: Array) -> Scorer:
    return _mean(-np.abs(y - prediction))


def _neg_root_mean_squared_error(y: Array, prediction: Array) -> Scorer:
    mean = _mean((y - prediction) ** 2)
    return lambda weights: -np.sqrt(mean(weights))


def _r2(y: Array, prediction: Array) -> Scorer:
    centred = y - y.mean()
    error, first, second = _mean((y - prediction) ** 2), _mean(centred), _mean(centred**2)

    def score(weights: Floats) -> Floats:
        moment = second(weights)
        variance = moment - first(weights) ** 2
        varies = variance > 1e-12 * moment
        return 1 - error(weights) / np.where(varies, variance, np.nan)

    return score


def _roc_auc(y: Array, prediction: Array) -> Scorer:
    return _ordered_pairs(y == 1, prediction[:, 1])


def _roc_auc_ovr(y: Array, prediction: Array) -> Scorer:
    scorers = [_ordered_pairs(y == code, prediction[:, code]) for code in present(y)]

    def score(weights: Floats) -> Floats:
        by_class = np.stack([scorer(weights) for scorer in scorers])
        mean: Floats = np.nansum(by_class, axis=0) / (~np.isnan(by_class)).sum(axis=0)
        return mean

    return score


def _ordered_pairs(positive: Array, score: Array) -> Scorer:
    """The area under the ROC curve: the share of (positive, negative) pairs in right order, ties counting half."""
    positives, negatives = np.flatnonzero(positive), np.flatnonzero(~positive)
    negatives = negatives[np.argsort(score[negatives], kind="stable")]
    below = np.searchsorted(score[negatives], score[positives], side="left")
    not_above = np.searchsorted(score[negatives], score[positives], side="right")
    tied = not np.array_equal(below, not_above)

    def area(weights: Floats) -> Floats:
        passed = np.zeros((len(weights), len(negatives) + 1))
        np.cumsum(weights.take(negatives, axis=1), axis=1, out=passed[:, 1:])
        ours = weights.take(positives, axis=1)
        halves = passed.take(below, axis=1)
        halves += passed.take(not_above, axis=1) if tied else halves
        share: Floats = np.einsum("rp,rp->r", ours, halves) / (2 * ours.sum(axis=1) * passed[:, -1])
        return share

    return area


def _average_precision(y: Array, prediction: Array) -> Scorer:
    """Precision at each score that a positive has, weighted by the positives there."""
    score = prediction[:, 1]
    order = np.argsort(-score, kind="stable")
    positives = order[y[order] == 1]
    levels, starts = np.unique(-score[positives], return_index=True)
    last_of_level = np.searchsorted(-score[order], levels, side="right") - 1

    def area(weights: Floats) -> Floats:
        chosen = np.cumsum(weights.take(order, axis=1), axis=1).take(last_of_level, axis=1)
        hits = np.add.reduceat(weights.take(positives, axis=1), starts, axis=1)
        found = np.cumsum(hits, axis=1)
        precision = np.where(chosen > 0, found / chosen, 0.0)
        mean: Floats = np.einsum("rl,rl->r", hits, precision) / found[:, -1]
        return mean

    return area


def _confusion(y: Array, prediction: Array) -> Callable[[Floats], tuple[Floats, Floats, Floats]]:
    """Per class that occurs: the weights of its rows, of rows taken for it, and of rows rightly taken for it."""
    guess = decided(prediction)
    codes = np.union1d(y, guess)
    cells, cell_of_row = np.unique(np.stack([y, guess]), axis=1, return_inverse=True)
    order = np.argsort(cell_of_row, kind="stable")
    starts = np.searchsorted(cell_of_row[order], np.arange(cells.shape[1]))
    is_true, is_guessed = (cells[:, :, None] == codes).astype(np.float64)

    def counts(weights: Floats) -> tuple[Floats, Floats, Floats]:
        in_cell = np.add.reduceat(weights.take(order, axis=1), starts, axis=1)
        return in_cell @ is_true, in_cell @ is_guessed, in_cell @ (is_true * is_guessed)

    return counts


def _balanced_accuracy(y: Array, prediction: Array) -> Scorer:
    confusion = _confusion(y, prediction)

    def score(weights: Floats) -> Floats:
        true, _, right = confusion(weights)
        mean: Floats = np.where(true > 0, right / true, 0.0).sum(axis=1) / (true > 0).sum(axis=1)
        return mean

    return score


def _f1_of_classes(y: Array, prediction: Array) -> Scorer:
    confusion = _confusion(y, prediction)

    def score(weights: Floats) -> Floats:
        true, guessed, right = confusion(weights)
        return np.where(right > 0, 2 * right / (true + guessed), 0.0)

    return score


def _f1(y: Array, prediction: Array) -> Scorer:
    of_classes = _f1_of_classes(y, prediction)
    column = np.flatnonzero(np.union1d(y, decided(prediction)) == 1)
    return lambda weights: of_classes(weights)[:, column].sum(axis=1)


def _f1_macro(y: Array, prediction: Array) -> Scorer:
    of_classes = _f1_of_classes(y, prediction)
    return lambda weights: of_classes(weights).mean(axis=1)


_SCORERS: dict[str, Callable[[Array, Array], Scorer]] = {
    "roc_auc": _roc_auc,
    "roc_auc_ovr": _roc_auc_ovr,
    "average_precision": _average_precision,
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced_accuracy,
    "f1": _f1,
    "f1_macro": _f1_macro,
    "neg_log_loss": _neg_log_loss,
    "neg_brier_score": _neg_brier_score,
    "r2": _r2,
    "neg_root_mean_squared_error": _neg_root_mean_squared_error,
    "neg_mean_absolute_error": _neg_mean_absolute_error,
}
