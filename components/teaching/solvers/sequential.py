"""Least squares column by column, by QR."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import qr, solve_triangular

Array = np.ndarray[Any, Any]


class Steps(NamedTuple):
    """`errors` are the residual sums of squares with no column, the first, the first two; each lowered it so much."""

    weights: Array
    lowered: Array
    errors: Array


def sequential_least_squares(X: Array, y: Array) -> Steps:
    """X = QR with orthonormal Q: Rw = Q'y by substituting back; column j lowers the error by exactly (q_j.y)²."""
    Q, R = qr(X, mode="economic")
    along = Q.T @ y
    lowered = along**2
    residual = y - Q @ along
    # Summed from the end: what a large first column takes away would leave only rounding of the small errors.
    errors = np.cumsum(np.append(residual @ residual, lowered[::-1]))[::-1]
    return Steps(solve_triangular(R, along), lowered, errors)
