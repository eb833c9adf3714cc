"""Distributions of which the mean tells all: counts, and waiting times."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gammaln

Array = np.ndarray[Any, Any]

BY_MEAN = ("poisson", "exponential")
# A class of nothing but zeros has a mean of zero, which would make all else impossible.
LEAST = 1e-9


def class_means(family: str, X: Array, codes: Array, weights: Array) -> Array:
    """The mean of every column in every class, (classes, columns): what makes the rows likeliest."""
    if X.min() < 0:
        raise ValueError(f"Negative values in data passed to a column of the family '{family}'")
    if family == "poisson" and (np.round(X) != X).any():
        raise ValueError("Numbers that are not whole in data passed to a column of the family 'poisson'")
    overall = np.average(X, axis=0, weights=weights)
    means = [np.average(X[codes == code], axis=0, weights=weights[codes == code]) for code in range(codes.max() + 1)]
    return np.maximum(means, np.where(overall > 0, LEAST * overall, 1.0))


def log_likelihood_by_mean(family: str, X: Array, means: Array) -> Array:
    """Of every row in every class: (rows, classes)."""
    if family == "poisson":
        logs = X @ np.log(means).T - means.sum(axis=1)
        logs = logs - gammaln(np.maximum(X, 0) + 1).sum(axis=1, keepdims=True)
    else:
        logs = -X @ (1 / means).T - np.log(means).sum(axis=1)
    return np.where((X < 0).any(axis=1, keepdims=True), -np.inf, logs)
