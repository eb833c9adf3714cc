"""Rows that cannot be clustered, and results that are no clustering: said for people."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from penstock.components.dissimilarity.validity import require_values
from penstock.errors import ClusteringError

Array = NDArray[np.float64]


def require_rows(rows: int, clusters: int) -> None:
    """As many rows as clusters, at least."""
    if rows < clusters:
        raise ClusteringError(
            "PEN330",
            f"{clusters} clusters were asked for, but there is 1 sample alone (n_samples = 1)"
            if rows == 1
            else f"{clusters} clusters were asked for, but there are {rows} rows (n_samples = {rows})",
            where="clusters",
            remedy=f"ask for at most {rows} clusters, or bring more rows",
        )


def require_finite(X: NDArray[Any]) -> None:
    """No missing and no infinite value."""
    numbers = X
    if numbers.dtype.kind == "f" and not np.isfinite(numbers.sum()) and not (good := np.isfinite(numbers)).all():
        row, column = np.argwhere(~good)[0]
        raise ClusteringError(
            "PEN331",
            f"{int((~good).sum())} value(s) are missing or infinite (NaN or inf)",
            where=f"row {row}, column {column} (counted from 0)",
            remedy="fill them first: `preparation: {impute: median}`",
        )


def require_difference(X: Array, clusters: int) -> None:
    """Rows that are all equal are one cluster, however many are asked for."""
    if clusters > 1 and len(X) > 1 and bool((X[0] == X).all()):
        raise ClusteringError(
            "PEN332",
            f"all {len(X)} rows are equal: there is nothing to tell {clusters} clusters apart by",
            where="the columns in use",
            remedy="bring in columns that differ from row to row",
        )


def checked_rows(estimator: Any, X: Any, clusters: int = 1) -> Array:
    """The rows as numbers, when they can be put into so many clusters."""
    if isinstance(X, np.ndarray):
        if getattr(estimator, "dissimilarity", None) == "precomputed":
            require_values(X)
        else:
            require_finite(X)
    found: Array = validate_data(estimator, X, dtype=np.float64)
    require_rows(len(found), clusters)
    require_difference(found, clusters)
    return found
