"""How unlike levels are: they differ or they do not; by a table of distances; by their rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from penstock.components.dissimilarity.validity import require_dissimilarities
from penstock.errors import ClusteringError, examples

Matrix = NDArray[np.float64]


def mismatch(left: Any, right: Any, constant: float = 1.0) -> Matrix:
    """`constant` where two values of a column differ, 0 where they are the same."""
    found: Matrix = constant * (np.asarray(left)[:, None] != np.asarray(right)[None]).astype(np.float64)
    return found


def hamming(left: Any, right: Any) -> float:
    """The share of places in which two rows of the same length differ."""
    return float(np.mean(np.asarray(left) != np.asarray(right)))


def midpoint_codes(levels: Sequence[Any]) -> dict[Any, float]:
    """The i-th of K ordered levels as (i - 1/2) / K: the middle of its share of the way from 0 to 1."""
    return {level: (rank + 0.5) / len(levels) for rank, level in enumerate(levels)}


class LevelDistances:
    """Distances between the levels of one column, as a person gives them: symmetric, zero on the diagonal."""

    def __init__(self, levels: Sequence[Any], distances: Any) -> None:
        self.places: Mapping[Any, int] = {level: place for place, level in enumerate(levels)}
        self.distances = require_dissimilarities(distances)
        if len(self.distances) != len(levels):
            raise ClusteringError(
                "PEN333",
                f"{len(levels)} levels have a table of {len(self.distances)} by {len(self.distances)} distances",
                where=f"levels {examples(levels)}",
                remedy="give one row and one column to each level, in the order of the levels",
            )

    def between(self, left: Any, right: Any) -> Matrix:
        found: Matrix = self.distances[np.ix_(self._coded(left), self._coded(right))]
        return found

    def _coded(self, values: Any) -> NDArray[np.int64]:
        codes = pd.Series(values).map(self.places)
        if codes.isna().any():
            strange = pd.Series(values)[codes.isna()].unique()
            raise ClusteringError(
                "PEN333",
                f"{len(strange)} level(s) are not in the table of distances: {examples(strange)}",
                where=f"levels {examples(self.places)}",
                remedy="give every level that the column holds a row and a column in the table",
            )
        return codes.to_numpy(dtype=np.int64)
