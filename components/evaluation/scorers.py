"""Scores of many resamples at once, instead of a thousand calls of a metric."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from penstock.components.evaluation import scorers_of_classes, scorers_of_values
from penstock.components.evaluation.counts import Counts, counted
from penstock.components.evaluation.functions import decided
from penstock.components.evaluation.metrics import Metric
from penstock.components.evaluation.resampled import Array, Floats, Scorer, as_floats, mean_of

SCORERS = scorers_of_classes.SCORERS | scorers_of_values.SCORERS


def scorer_of(metric: Metric, y: Array, prediction: Array, weight: Array | None = None) -> Scorer:
    """The metric over matrices of weights; what depends on y and prediction alone is done once, here.

    `weight`: of the rows themselves, by which each of their draws counts. A metric that is not known here is asked for
    every resample.
    """
    score = _scorer(metric, y, prediction)
    if score is None:
        one_by_one = metric.function
        return lambda counts: np.array([one_by_one(y, prediction, row) for row in as_floats(_times(counts, weight))])

    def quietly(counts: Array) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            return score(_times(counts, weight))

    return quietly


def scorer_by_folds(metric: Metric, y: Array, prediction: Array, folds: Array, weight: Array | None = None) -> Scorer:
    """The mean over the parts of the rows that define the metric, as scores of folds are averaged."""
    rows_of_folds = [np.flatnonzero(folds == part) for part in np.unique(folds)]
    scorers = [
        partial(_on_rows, rows, scorer_of(metric, y[rows], prediction[rows], None if weight is None else weight[rows]))
        for rows in rows_of_folds
    ]
    mean = mean_of(list[Scorer](scorers))

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
    if metric.family in SCORERS:
        return SCORERS[metric.family](y, prediction, *metric.given)
    return None


def _times(counts: Array, weight: Array | None) -> Array:
    return counts if weight is None else counts * weight


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
