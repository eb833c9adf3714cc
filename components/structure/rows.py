"""The rows that structure is looked for in: checked, thinned, and in a bounded number of columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA

from penstock.errors import DataError

Floats = NDArray[np.float64]

MIN_ROWS = 10


def checked(X: Any, *, clusters: int = 1) -> Floats:
    """X as a matrix of numbers that can be searched for groups; otherwise an error for people."""
    matrix = np.asarray(X, dtype=np.float64)
    holes = ~np.isfinite(matrix)
    if holes.any():
        raise DataError(
            "PEN350",
            f"{int(holes.any(axis=1).sum())} of {len(matrix)} rows have missing or infinite values",
            where=f"column {int(holes.sum(axis=0).argmax())} of the prepared matrix has most of them",
            remedy="let the preparation impute them: distances between rows need every value",
        )
    if len(matrix) < max(MIN_ROWS, clusters):
        raise DataError(
            "PEN352",
            f"{len(matrix)} rows are too few for {max(clusters, 1)} cluster(s) and a statement about structure",
            where="the prepared rows",
            remedy=f"bring at least {max(MIN_ROWS, clusters)} rows, or ask for fewer clusters",
        )
    if (matrix == matrix[0]).all():
        raise DataError(
            "PEN351",
            f"all {len(matrix)} rows are equal",
            where="the prepared rows",
            remedy="choose columns that vary from row to row; equal rows have no groups",
        )
    return matrix


def thinned(matrix: Floats, most: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Positions of at most so many rows, drawn without replacement, in order."""
    if len(matrix) <= most:
        return np.arange(len(matrix))
    return np.sort(rng.choice(len(matrix), most, replace=False))


def narrowed(matrix: Floats, most: int) -> Floats:
    """Columns that do not vary are left out; beyond `most`, the first principal components stand for the rest."""
    varying = matrix[:, np.ptp(matrix, axis=0) > 0]
    if varying.shape[1] <= most:
        return varying
    components: Floats = PCA(most, svd_solver="full").fit_transform(varying)
    return components
