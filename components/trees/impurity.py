"""How mixed the classes of a node are, and how much a split tidies them.

The courses print entropy, Gini and misclassification without their minus signs, and one of them prints the
cross-entropy with log(1 - p), which is minus infinity at pure nodes; these are the right ones. The impurities of the
children are weighted by their sizes, which one of the courses leaves out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

Array = np.ndarray[Any, Any]
Impurity = Literal["entropy", "gini", "misclassification"]


def impurity(counts: Array, kind: Impurity) -> Array:
    """Of each row of class counts along the last axis; 0 of an empty one."""
    total = counts.sum(axis=-1, keepdims=True)
    shares = np.divide(counts, total, out=np.zeros_like(counts, dtype=float), where=total > 0)
    return _KINDS[kind](shares)


def gain(children: Array, kind: Impurity) -> Array:
    """What a split saves: `children` holds class counts, (..., children, classes)."""
    sizes = children.sum(axis=-1)
    whole = children.sum(axis=-2)
    total = sizes.sum(axis=-1)
    within = (sizes * impurity(children, kind)).sum(axis=-1)
    saved: Array = impurity(whole, kind) - np.divide(within, total, out=np.zeros_like(within), where=total > 0)
    return saved


def _entropy(shares: Array) -> Array:
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    bits: Array = -(shares * logs).sum(axis=-1)
    return bits


def _gini(shares: Array) -> Array:
    mixed: Array = 1 - (shares**2).sum(axis=-1)
    return np.where(shares.any(axis=-1), mixed, 0.0)


def _misclassification(shares: Array) -> Array:
    missed: Array = 1 - shares.max(axis=-1)
    return np.where(shares.any(axis=-1), missed, 0.0)


_KINDS: dict[str, Callable[[Array], Array]] = {
    "entropy": _entropy,
    "gini": _gini,
    "misclassification": _misclassification,
}
