"""Leaps and bounds: the best set of columns, found by dropping columns and never looking where it cannot be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from penstock.errors import UsageError

Array = np.ndarray[Any, Any]

# So little penalty that it changes no sum of squares, and every set of columns has one answer, copies included.
TINY = 1e-9
MOST_NODES = 100_000


@dataclass(frozen=True)
class Gram:
    """X'X with a trace of penalty, X'y and y'y: all that sets of columns need, however many the rows."""

    inverse: Array
    weights: Array
    error: float
    columns: Array

    @staticmethod
    def of(X: Array, y: Array) -> Gram:
        columns = X.shape[1]
        inverse = np.linalg.inv(X.T @ X + TINY * np.eye(columns))
        weights = inverse @ (X.T @ y)
        residual = y - X @ weights
        error = float(residual @ residual + TINY * weights @ weights)
        return Gram((inverse + inverse.T) / 2, weights, error, np.arange(columns))

    def rises(self) -> Array:
        """By how much the error rises without each column: its squared weight over the inverse's diagonal."""
        rises: Array = self.weights**2 / np.diag(self.inverse)
        return rises

    def without(self, place: int) -> Gram:
        """One column less, from what is known already."""
        rest = np.delete(np.arange(len(self.columns)), place)
        column, corner = self.inverse[rest, place], self.inverse[place, place]
        return Gram(
            self.inverse[np.ix_(rest, rest)] - np.outer(column, column / corner),
            self.weights[rest] - column * (self.weights[place] / corner),
            self.error + self.weights[place] ** 2 / corner,
            self.columns[rest],
        )


def backward_order(gram: Gram, keep: int) -> list[int]:
    """Columns in the order in which dropping each raises the error least, until so many are left."""
    order: list[int] = []
    while len(gram.columns) > keep:
        place = int(np.argmin(gram.rises()))
        order.append(int(gram.columns[place]))
        gram = gram.without(place)
    return order


def best_subset(gram: Gram, keep: int, guess: list[int]) -> list[int]:
    """The set of `keep` columns with the least error. `guess` is a good set to begin with.

    A set has no less error than any set that holds it, so what is below a node is at least as bad as the node. The
    columns that matter most are dropped first: these nodes are bad already, and most of the sets lie below them.
    """
    best = _without(gram, set(range(len(gram.columns))) - set(guess))
    backward = _without(gram, set(backward_order(gram, keep)))
    best = min(best, backward, key=lambda one: one.error)
    nodes = 0
    waiting = [(gram, 0)]  # with how many of its first columns may not be dropped any more
    while waiting:
        node, fixed = waiting.pop()
        drops = len(node.columns) - keep
        if drops == 0:
            best = node if node.error < best.error else best
            continue
        nodes += 1
        if nodes > MOST_NODES:
            raise UsageError(
                "PEN060",
                f"the best {keep} of {len(gram.columns)} columns are not found after {MOST_NODES:,} steps",
                where="features.select: least-squares-subset",
                remedy="set `search: forward`, keep fewer or more columns, or bring in fewer",
            )
        rises = node.rises()
        free = np.arange(fixed, len(node.columns))
        free = free[np.argsort(-rises[free], kind="stable")]
        if drops == 1:
            place = int(free[-1])
            if node.error + rises[place] < best.error:
                best = node.without(place)
            continue
        # Dropping the i-th free column forbids dropping those before it: every set is met once.
        node = _reordered(node, np.concatenate([np.arange(fixed), free]))
        errors = node.error + rises[free]
        for i in range(len(free) - drops + 1):
            if errors[i] < best.error:
                waiting.append((node.without(fixed + i), fixed + i))
    return sorted(best.columns.tolist())


def _without(gram: Gram, dropped: set[int]) -> Gram:
    for column in sorted(dropped):
        gram = gram.without(int(np.flatnonzero(gram.columns == column)[0]))
    return gram


def _reordered(gram: Gram, order: Array) -> Gram:
    return Gram(gram.inverse[np.ix_(order, order)], gram.weights[order], gram.error, gram.columns[order])
