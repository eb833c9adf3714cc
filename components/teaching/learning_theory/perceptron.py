"""Rosenblatt's loop by hand, to count what it takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]


class Loop(NamedTuple):
    """`updates` are the training rows, in order; `mistakes` those of each pass."""

    weights: Array
    updates: list[int]
    mistakes: list[int]


def perceptron_loop(X: Array, y: Array, most: int = 1000) -> Loop:
    """Row after row from weights of zero, until a pass has no mistakes, or after `most` passes."""
    weights = np.zeros(X.shape[1])
    updates: list[int] = []
    mistakes: list[int] = []
    for _ in range(most):
        before = len(updates)
        updates += _mistaken(X, y, weights)
        mistakes.append(len(updates) - before)
        if not mistakes[-1]:
            break
    return Loop(weights, updates, mistakes)


def perceptron_updates(X: Array, y: Array, most: int) -> tuple[Array, int] | None:
    """The weights that make no mistake, and how many updates they took. None after `most` updates."""
    weights, updates = np.zeros(X.shape[1]), 0
    while True:
        before = updates
        for _ in _mistaken(X, y, weights):
            updates += 1
            if updates > most:
                return None
        if updates == before:
            return weights, updates


def _mistaken(X: Array, y: Array, weights: Array) -> Iterator[int]:
    """Rows where y w.x <= 0 when their turn comes; each is trained on, in place, by w += y x.

    The condition is printed with <, with which nothing would ever move from zero.
    """
    for row in range(len(X)):
        if y[row] * (X[row] @ weights) <= 0:
            weights += y[row] * X[row]
            yield row
