"""How mixed the classes of a node are, and how much a split tidies them.

The courses print entropy, Gini and misclassification without their minus signs, and one of them prints the
cross-entropy with log(1 - p), which is minus infinity at pure nodes; these are the right ones. The impurities of the
children are weighted by their sizes, which one of the courses leaves out.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

Array = np.ndarray[Any, Any]
Impurity = Literal["entropy", "gini", "misclassification"]

MAX_TABLED = 1_000_000


class WeightedImpurity:
    """Impurity times size, of class counts along the first axis: what a split tidies is the difference of sums.

    Where every row counts as one, counts are whole numbers, and their logarithms are looked up.
    """

    def __init__(self, kind: Impurity, rows: int = 0) -> None:
        self.kind = kind
        whole = np.arange(min(rows, MAX_TABLED) + 1, dtype=float)
        self._table = whole * np.log2(np.maximum(whole, 1))

    def __call__(self, counts: Array, sizes: Array) -> Array:
        impurities: Array
        if self.kind == "entropy":
            impurities = self._bits(sizes) - self._bits(counts).sum(axis=0)
        elif self.kind == "gini":
            impurities = sizes - (counts * counts).sum(axis=0) / np.where(sizes > 0, sizes, 1)
        else:
            impurities = sizes - counts.max(axis=0)
        return impurities

    def _bits(self, counts: Array) -> Array:
        if counts.dtype.kind == "i" and counts.size and counts.max() < len(self._table):
            looked_up: Array = self._table[counts]
            return looked_up
        bits: Array = counts * np.log2(counts, out=np.zeros(counts.shape), where=counts > 0)
        return bits


def impurity(counts: Array, kind: Impurity) -> Array:
    """Of each row of class counts along the last axis; 0 of an empty one."""
    sizes = np.asarray(counts.sum(axis=-1), dtype=float)
    mixed: Array = np.divide(
        WeightedImpurity(kind)(np.moveaxis(counts, -1, 0), sizes), sizes, out=np.zeros(sizes.shape), where=sizes > 0
    )
    return mixed


def gain(children: Array, kind: Impurity) -> Array:
    """What a split saves: `children` holds class counts, (..., children, classes)."""
    sizes, whole = children.sum(axis=-1), children.sum(axis=-2)
    total = sizes.sum(axis=-1)
    weighted = WeightedImpurity(kind)
    saved = weighted(np.moveaxis(whole, -1, 0), total) - weighted(np.moveaxis(children, -1, 0), sizes).sum(axis=-1)
    per_row: Array = np.divide(saved, total, out=np.zeros(np.shape(saved)), where=total > 0)
    return per_row
