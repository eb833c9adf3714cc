"""What many columns do to nearness: the curse of dimension."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

Array = np.ndarray[Any, Any]


def side_of_share(share: float, columns: int) -> float:
    """The side of the cube that holds this share of a cube of side 1: share ** (1 / columns)."""
    return float(share ** (1 / columns))


def cells(levels: int, columns: int) -> int:
    """How many different rows there are of so many columns with so many levels each."""
    return int(levels**columns)


def nearest_to_farthest(X: Array, rows: Array) -> Array:
    """Of each of these rows: the distance of the nearest other row as a share of that of the farthest one."""
    apart = cdist(X[rows], X)
    farthest = apart.max(axis=1)
    apart[np.arange(len(rows)), rows] = np.inf
    shares: Array = np.divide(apart.min(axis=1), farthest, out=np.ones(len(rows)), where=farthest > 0)
    return shares
