"""Columns in the order in which each lowers the error most, each made orthogonal to those before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

# A column of which less than this share of the squared length is left, without those before it, says nothing new.
NOTHING_NEW = 1e-16


def forward_order(X: Array, y: Array, most: int, given: Sequence[int] | None = None) -> tuple[list[int], list[float]]:
    """Columns in the order in which each lowers the error most, and the errors, the first without any column.

    What is left of the others is kept orthogonal to those chosen (Gram-Schmidt), so that one product a step tells all.
    A `given` order is followed instead.
    """
    left, residual = X.astype(np.float64), y.astype(np.float64)
    enough = NOTHING_NEW * np.maximum(np.einsum("ij,ij->j", left, left), np.finfo(np.float64).tiny)
    order: list[int] = []
    errors = [float(residual @ residual)]
    for step in range(most):
        sizes = np.einsum("ij,ij->j", left, left)
        new = sizes > enough
        gains = np.where(new, (left.T @ residual) ** 2 / np.where(new, sizes, 1.0), -1.0)
        gains[order] = -2.0
        chosen = int(np.argmax(gains)) if given is None else given[step]
        order.append(chosen)
        if new[chosen]:
            direction = left[:, chosen] / np.sqrt(sizes[chosen])
            residual = residual - (direction @ residual) * direction
            left = left - np.outer(direction, direction @ left)
        errors.append(float(residual @ residual))
    return order, errors
