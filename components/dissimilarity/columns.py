"""Prepared columns as the features they were made of, and how much two rows differ in each on average.

One-hot encoding makes several columns of one feature. Two rows with different levels differ in two of them, so half the
sum of absolute differences is 1 where levels differ and 0 where they are the same: the mismatch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def features_of(X: Matrix) -> list[NDArray[np.int64]]:
    """The places of the columns of each feature: neighbouring zeros and ones that add up to one in every row are one.

    Only what a one-hot encoder makes has this form; any other column is a feature of its own.
    """
    binary = ((X == 0) | (X == 1)).all(axis=0)
    found: list[NDArray[np.int64]] = []
    place = 0
    while place < X.shape[1]:
        end = _block_end(X, binary, place) if binary[place] else place + 1
        found.append(np.arange(place, end))
        place = end
    return found


def _block_end(X: Matrix, binary: NDArray[np.bool_], start: int) -> int:
    """Where the levels that begin here are complete; the next place if they never are."""
    total = X[:, start].copy()
    end = start + 1
    while end < X.shape[1] and binary[end] and total.min() < 1:
        total += X[:, end]
        if total.max() > 1:
            return start + 1
        end += 1
    return end if total.min() == 1 else start + 1


def mean_absolute_difference(values: Any) -> float:
    """Over all N² pairs of rows, without making them: the sum over sorted values, each with its rank."""
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    rows = len(ordered)
    ranks = 2 * np.arange(rows) - rows + 1
    return float(2 * (ranks * ordered).sum() / rows**2)


def mean_squared_difference(values: Any) -> float:
    """Over all N² pairs of rows: twice the variance (divisor N)."""
    return float(2 * np.var(np.asarray(values, dtype=np.float64)))


def mean_mismatch(indicators: Matrix) -> float:
    """The share of the N² pairs of rows whose levels differ."""
    shares = indicators.mean(axis=0)
    return float(1 - (shares**2).sum())
