"""The columns of numbers of a table as rows in a plane."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.preprocessing import StandardScaler

from penstock.components.clustering.describe import project_2d
from penstock.components.schema import numbers, require_columns
from penstock.errors import DataError

Array = np.ndarray[Any, Any]

MIN_ROWS = 4


def whole_numbers(frame: pd.DataFrame, target: str | None = None) -> pd.DataFrame:
    """The columns that hold a number in every row, but for the target."""
    require_columns(frame, [target] if target else [])
    table = pd.DataFrame({name: numbers(frame[name]) for name in frame.columns if name != target}).dropna(axis=1)
    if table.shape[1] < 2 or len(table) < MIN_ROWS:
        raise DataError(
            "PEN348",
            f"{table.shape[1]} column(s) hold a number in each of {len(table)} rows; this takes two columns and "
            f"{MIN_ROWS} rows",
            where="the table",
            remedy="bring columns of numbers, and fill missing ones first",
        )
    return table


def scaled_rows(frame: pd.DataFrame, target: str | None = None, *, most: int, seed: int) -> Array:
    """Standardised, and drawn by chance where there are more than `most`; refused where all are the same."""
    X = np.asarray(StandardScaler().fit_transform(whole_numbers(frame, target)))
    if not X.any():
        raise DataError(
            "PEN356",
            f"all {len(X)} rows hold the same numbers: there is nothing to group",
            where="the table",
            remedy="bring a table whose rows differ",
        )
    drawn = np.random.default_rng(seed).choice(len(X), min(most, len(X)), replace=False)
    return X[np.sort(drawn)]


def in_a_plane(table: pd.DataFrame, *, scale: bool = True) -> tuple[Array, Array, bool]:
    """The rows, scaled or not; their two main directions, and whether these are all there is."""
    X = StandardScaler().fit_transform(table) if scale else table.to_numpy(dtype=np.float64)
    return X, X if X.shape[1] == 2 else project_2d(X, 0)[0], X.shape[1] == 2


def codes_of(frame: pd.DataFrame, target: str | None) -> Array:
    """The groups of a column as numbers; all rows alike where there is none."""
    return np.zeros(len(frame), dtype=np.int64) if target is None else pd.factorize(frame[target].astype(str))[0]
