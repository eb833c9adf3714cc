"""Leaps and bounds: the best set of columns, found by dropping columns and never looking where it cannot be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from penstock.errors import UsageError

Array = np.ndarray[Any, Any]

# So little penalty that it changes no sum of squares, and every set of columns has one answer, copies included.
TINY = 1e-16
MAX_NODES = 100_000


@dataclass(frozen=True)
class Triangle:
    """R of [X y] = QR, with a trace of penalty: all that sets of columns need, however many the rows.

    X'X would do as well, but has twice the digits to lose where columns are nearly copies.
    """

    table: Array
    columns: Array

    @staticmethod
    def of(X: Array, y: Array) -> Triangle:
        columns = X.shape[1]
        trace = np.sqrt(TINY) * np.eye(columns, columns + 1)
        return Triangle(_triangle(np.vstack([np.column_stack([X, y]), trace])), np.arange(columns))

    @property
    def error(self) -> float:
        """The target's last entry is what no column reaches."""
        return float(self.table[-1, -1] ** 2)

    def rises(self) -> Array:
        """By how much the error rises without each column: its squared weight over the inverse's diagonal."""
        inverse = solve_triangular(self.table[:-1, :-1], np.eye(len(self.columns)), check_finite=False)
        rises: Array = (inverse @ self.table[:-1, -1]) ** 2 / np.einsum("ij,ij->i", inverse, inverse)
        return rises

    def of_columns(self, places: Array) -> Triangle:
        """Of these columns alone, in this order."""
        return Triangle(_triangle(self.table[:, np.append(places, -1)]), self.columns[places])

    def without(self, place: int) -> Triangle:
        return self.of_columns(np.delete(np.arange(len(self.columns)), place))


def backward_order(node: Triangle, keep: int) -> list[int]:
    """Columns in the order in which dropping each raises the error least, until so many are left."""
    order: list[int] = []
    while len(node.columns) > keep:
        place = int(np.argmin(node.rises()))
        order.append(int(node.columns[place]))
        node = node.without(place)
    return order


def best_subset(whole: Triangle, keep: int, guess: list[int]) -> list[int]:
    """The set of `keep` columns with the least error. `guess` is a good set to begin with.

    A set has no less error than any set that holds it, so what is below a node is at least as bad as the node. The
    columns that matter most are dropped first: these nodes are bad already, and most of the sets lie below them.
    """
    dropped = backward_order(whole, keep)
    backward = np.setdiff1d(whole.columns, dropped)
    best = min((whole.of_columns(np.sort(one)) for one in (guess, backward)), key=lambda one: one.error)
    nodes = 0
    waiting = [(whole, 0)]  # with how many of its first columns may not be dropped any more
    while waiting:
        node, fixed = waiting.pop()
        drops = len(node.columns) - keep
        if drops == 0:
            best = node if node.error < best.error else best
            continue
        nodes += 1
        if nodes > MAX_NODES:
            raise UsageError(
                "PEN060",
                f"the best {keep} of {len(whole.columns)} columns are not found after {MAX_NODES:,} steps",
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
        node = node.of_columns(np.concatenate([np.arange(fixed), free]))
        errors = node.error + rises[free]
        for i in range(len(free) - drops + 1):
            if errors[i] < best.error:
                waiting.append((node.without(fixed + i), fixed + i))
    return sorted(best.columns.tolist())


def _triangle(table: Array) -> Array:
    return np.asarray(np.linalg.qr(table, mode="r"))
