"""All columns of the training rows while a tree grows: as codes of levels, and as numbers with their ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.trees.attributes import MISSING

Array = np.ndarray[Any, Any]


class Columns:
    """`levels` and `numbers`: which columns are of either kind; `place`: the line of a column in its matrix."""

    def __init__(self, values: list[Array], levels: list[list[Any] | None], weight: Array) -> None:
        self.is_numeric = np.array([known is None for known in levels])
        self.levels, self.numbers = np.flatnonzero(~self.is_numeric), np.flatnonzero(self.is_numeric)
        self.branches = np.array([2 if known is None else len(known) for known in levels])
        self.place = np.where(self.is_numeric, np.cumsum(self.is_numeric), np.cumsum(~self.is_numeric)) - 1
        rows = len(weight)
        self.codes = np.array([values[j] for j in self.levels], dtype=np.intp).reshape(-1, rows)
        self.values = np.array([values[j] for j in self.numbers], dtype=float).reshape(-1, rows)
        self.ranks = np.array([_ranks(line) for line in self.values], dtype=np.int32).reshape(-1, rows)
        # A slot for each level and, last of each column, one for rows without a value; columns one after the other.
        self.starts = np.concatenate([[0], np.cumsum(self.branches[self.levels] + 1)])
        gaps = self.starts[1:, None] - 1
        self.slots = np.where(self.codes == MISSING, gaps, self.codes + self.starts[:-1, None])
        self.lack_levels = bool((self.codes == MISSING).any())
        self.lack_numbers = bool(np.isnan(self.values).any())
        counts = self.branches[self.levels]
        self._shares = [_shares(codes, count, weight) for codes, count in zip(self.codes, counts, strict=True)]
        self._sorted: list[tuple[Array, Array]] = [_weighed(line, weight) for line in self.values]

    def outcomes(self, attribute: Array, rows: Array, thresholds: Array) -> Array:
        """The branch of each row at a node that asks about the attribute; MISSING where it has no value."""
        codes = np.full(len(rows), MISSING)
        cut = self.is_numeric[attribute]
        codes[~cut] = self.codes[self.place[attribute[~cut]], rows[~cut]]
        values = self.values[self.place[attribute[cut]], rows[cut]]
        codes[cut] = np.where(np.isnan(values), MISSING, (values >= thresholds[cut]).astype(np.intp))
        return codes

    def shares(self, column: int, thresholds: Array) -> Array:
        """Of the training rows with a value, by branch; one row for each threshold."""
        if not self.is_numeric[column]:
            return np.broadcast_to(self._shares[self.place[column]], (len(thresholds), self.branches[column]))
        ordered, below = self._sorted[self.place[column]]
        part = below[np.searchsorted(ordered, thresholds, side="left")] / (below[-1] or 1.0)
        return np.column_stack([part, 1 - part])


def _ranks(values: Array) -> Array:
    """Equal numbers have equal ranks; those that are missing come last."""
    return np.unique(values, return_inverse=True)[1]


def _shares(codes: Array, branches: int, weight: Array) -> Array:
    known = codes != MISSING
    counts = np.bincount(codes[known], weights=weight[known], minlength=branches)
    shares: Array = counts / (counts.sum() or 1.0)
    return shares


def _weighed(values: Array, weight: Array) -> tuple[Array, Array]:
    known = ~np.isnan(values)
    order = np.argsort(values[known], kind="stable")
    return values[known][order], np.concatenate([[0.0], np.cumsum(weight[known][order])])
