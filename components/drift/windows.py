"""The recent batch among all rows, and windows of its size drawn from them: what chance makes of the same rows.

If nothing has changed, the batch is one such window like any other. Windows of the reference alone would not do: how
many rare values a batch has differs from batch to batch more than within one reference.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Array = np.ndarray[Any, Any]
Windows = NDArray[np.bool_]
"""(1 + rounds, rows): reference rows, then recent ones. Line 0 is the batch itself, the others are drawn."""

ROUNDS = 999


def windows_of(units: Array, recent: int, *, seed: int, rounds: int = ROUNDS) -> Windows:
    """The last `recent` rows are the batch. `units`: the number of each row's group, or of the row; they stay whole."""
    batch = np.arange(len(units)) >= len(units) - recent
    return np.vstack([batch, draw(units, recent, rounds, np.random.default_rng(seed))])


def draw(units: Array, size: int, rounds: int, rng: np.random.Generator) -> Windows:
    """Windows of about `size` rows, whole units each, neither none nor all of them."""
    codes, distinct = pd.factorize(units)
    sizes = np.bincount(codes, minlength=len(distinct))
    drawn = np.zeros((rounds, len(distinct)), dtype=bool)
    for line in drawn:
        order = rng.permutation(len(distinct))
        nearest = int(np.abs(np.cumsum(sizes[order]) - size).argmin())
        line[order[: min(nearest + 1, len(distinct) - 1)]] = True
    return drawn[:, codes]


def units_of(groups: pd.Series[Any] | None, rows: int) -> Array:
    """The number of each row's group; a row without one stands for itself."""
    if groups is None:
        return np.arange(rows)
    codes = pd.factorize(groups)[0]
    return np.where(codes >= 0, codes, len(codes) + np.arange(rows))
