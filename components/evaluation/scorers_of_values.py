"""Scores of predicted quantities, of many resamples at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from penstock.components.evaluation.resampled import Array, Floats, Scorer, as_floats, running, weighted_mean


def _neg_mean_absolute_error(y: Array, prediction: Array) -> Scorer:
    return weighted_mean(-np.abs(y - prediction))


def _neg_mean_absolute_percentage_error(y: Array, prediction: Array) -> Scorer:
    return weighted_mean(-np.abs(y - prediction) / np.maximum(np.abs(y), np.finfo(np.float64).eps))


def _neg_mean_pinball_loss(y: Array, prediction: Array, alpha: float) -> Scorer:
    left_over = y - prediction
    return weighted_mean(-np.where(left_over >= 0, alpha * left_over, (alpha - 1) * left_over))


def _neg_epsilon_insensitive_loss(y: Array, prediction: Array, epsilon: float) -> Scorer:
    return weighted_mean(-np.maximum(0.0, np.abs(y - prediction) - epsilon))


def _neg_mean_squared_error(y: Array, prediction: Array) -> Scorer:
    return weighted_mean(-((y - prediction) ** 2))


def _neg_root_mean_squared_error(y: Array, prediction: Array) -> Scorer:
    mean = weighted_mean((y - prediction) ** 2)
    return lambda weights: -np.sqrt(mean(weights))


def _neg_max_error(y: Array, prediction: Array) -> Scorer:
    error = np.abs(y - prediction)
    return lambda weights: -np.where(weights > 0, error, 0.0).max(axis=1)


def _medians(values: Array) -> Scorer:
    """Of each resample; midway between two where half of the weight lies on either side."""
    order = np.argsort(values, kind="stable")
    sorted_values = values[order]

    def median(weights: Array) -> Floats:
        passed = running(weights, order)
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
    error, median = weighted_mean(np.abs(y - prediction)), _medians(y)

    def score(weights: Array) -> Floats:
        spread = np.einsum("rn,rn->r", as_floats(weights), np.abs(y - median(weights)[:, None])) / weights.sum(axis=1)
        return 1 - error(weights) / np.where(spread > 0, spread, np.nan)

    return score


def _variance(values: Array) -> Scorer:
    """About the mean of each resample; nothing where the drawn values are all alike."""
    centred = values - values.mean()
    first, second = weighted_mean(centred), weighted_mean(centred**2)

    def spread(weights: Array) -> Floats:
        moment = second(weights)
        variance = moment - first(weights) ** 2
        return np.where(variance > 1e-12 * moment, variance, np.nan)

    return spread


def _r2(y: Array, prediction: Array) -> Scorer:
    error, variance = weighted_mean((y - prediction) ** 2), _variance(y)
    return lambda weights: 1 - error(weights) / variance(weights)


def _explained_variance(y: Array, prediction: Array) -> Scorer:
    left_over, variance = _variance(y - prediction), _variance(y)
    return lambda weights: 1 - np.nan_to_num(left_over(weights)) / variance(weights)


SCORERS: dict[str, Callable[..., Scorer]] = {
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
