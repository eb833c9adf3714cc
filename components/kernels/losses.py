"""Weights by row that minimise a loss of each row and the squared length of the function, for any loss.

The objective is sum_i l(y_i, f_i) + penalty * a'Ka with f = Ka, of which every minimum has a_i = -l'(y_i, f_i) /
(2 penalty): a unique answer where the penalty is positive, also where the kernel's matrix is singular and many a give
the same function. A mean of losses instead of their sum has a penalty smaller by the number of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve
from scipy.special import expit

from penstock.components.kernels.nearly import nearly
from penstock.components.kernels.parameters import SMALLER_KERNEL
from penstock.components.kernels.quadratic import settle, solve_box

Array = np.ndarray[Any, Any]
Loss = Literal["square", "logistic", "hinge", "huber", "absolute"]

MAX_STEPS = 100
CLOSE = 1e-12
TINY = 1e-150
HUBER = 1.345  # beyond this an error counts by its size and not by its square


def row_weights(gram: Array, y: Array, loss: str, penalty: float, weights: Array) -> Array:
    """One weight for each row; `y` is +1 or -1 for the losses of classes. Weights of rows are positive."""
    if loss == "square":
        with _told():
            return np.asarray(solve(gram + np.diag(penalty / weights), y, assume_a="pos"))
    if loss == "hinge":
        return _hinge(gram, y, weights / (2 * penalty))
    if loss == "absolute":
        return _absolute(gram, y, weights / (2 * penalty))
    with _told():
        return _newton(gram, y, _SMOOTH[loss], penalty, weights)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except np.linalg.LinAlgError:
        raise ValueError(
            "the kernel of these rows is so large beside the penalty that rounding leaves no matrix to be solved. "
            f"{SMALLER_KERNEL}, or raise the penalty"
        ) from None


def gap(gram: Array, y: Array, a: Array, loss: str, penalty: float, weights: Array) -> float:
    """Of the hinge and absolute loss, by what share of the objective the bound of the dual lies below it."""
    f = gram @ a
    lost = np.maximum(0.0, 1 - y * f) if loss == "hinge" else np.abs(y - f)
    objective = float(weights @ lost + penalty * a @ f)
    bound = float(2 * penalty * y @ a - penalty * a @ f)
    return (objective - bound) / max(abs(objective), TINY)


def _hinge(gram: Array, y: Array, most: Array) -> Array:
    """By libsvm, whose bias is free, with two more rows that hold it at zero; then settled to the last digits.

    The two rows, +1 and -1, lie at s and -s in a direction of their own. To be on their sides they need s w >= 1 + |b|
    of the weight w there, which costs at least (1 + |b|)² / (2 s²). So a bias costs 1 / s² for each unit, which is made
    as much as all other rows together can gain by one; w itself touches no other row.
    """
    size, all_rows = len(y), float(most.sum())
    held = np.zeros((size + 2, size + 2))
    held[:size, :size] = gram
    held[size:, size:] = np.array([[1.0, -1.0], [-1.0, 1.0]]) / all_rows
    near = nearly(held, np.r_[y, 1.0, -1.0], np.r_[most, 2 * all_rows, 2 * all_rows]).weights[:size]
    exact = settle(gram, -y, (np.minimum(y * most, 0.0), np.maximum(y * most, 0.0)), near)
    if exact is not None:
        return exact
    return np.asarray(y * solve_box(y[:, None] * gram * y, -np.ones(size), most).alpha)


def _absolute(gram: Array, y: Array, most: Array) -> Array:
    """a is between -most and most: moved by most, it is a box that begins at zero, and digits are lost by the move."""
    near = solve_box(gram, -y - gram @ most, 2 * most).alpha - most
    exact = settle(gram, -y, (-most, most), near)
    return near if exact is None else exact


def _logistic(y: Array, f: Array) -> tuple[Array, Array, Array]:
    chance = expit(-y * f)
    return np.logaddexp(0, -y * f), -y * chance, chance * (1 - chance)


def _huber(y: Array, f: Array) -> tuple[Array, Array, Array]:
    error = f - y
    near = np.abs(error) <= HUBER
    size = np.where(near, error**2 / 2, HUBER * (np.abs(error) - HUBER / 2))
    return size, np.clip(error, -HUBER, HUBER), near.astype(float)


_SMOOTH: dict[str, Callable[[Array, Array], tuple[Array, Array, Array]]] = {"logistic": _logistic, "huber": _huber}


def _newton(
    gram: Array, y: Array, loss: Callable[[Array, Array], tuple[Array, Array, Array]], penalty: float, weights: Array
) -> Array:
    """Newton's method with halved steps: (2 penalty + R K) step = -(l' + 2 penalty a), R the curvature of the loss."""
    a, f = np.zeros(len(y)), np.zeros(len(y))
    sizes, slope, curve = loss(y, f)
    value = float(weights @ sizes)
    for _ in range(MAX_STEPS):
        off = weights * slope + 2 * penalty * a
        if np.abs(off).max() <= CLOSE * max(1.0, float(weights.max())):
            break
        root = np.sqrt(weights * curve)
        factor = cho_factor(root[:, None] * gram * root + 2 * penalty * np.eye(len(y)), lower=True)
        step = -(off - root * cho_solve(factor, root * (gram @ off))) / (2 * penalty)
        turn = gram @ step
        share = 1.0
        while share > CLOSE:
            moved, there = a + share * step, f + share * turn
            sizes, slope, curve = loss(y, there)
            reached = float(weights @ sizes + penalty * moved @ there)
            if reached <= value + CLOSE * max(1.0, abs(value)):
                break
            share /= 2
        a, f, value = moved, there, reached
    return a
