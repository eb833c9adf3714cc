"""Columns as ID3 asks about them: levels, or numbers that are cut in two."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

Array = np.ndarray[Any, Any]
MISSING = -1
UNSEEN = -2


def is_missing(column: Array) -> Array:
    if column.dtype.kind in "fc":
        return np.isnan(column)
    if column.dtype.kind == "O":
        return np.asarray(pd.isna(column))
    return np.zeros(len(column), dtype=bool)


def levels_of(column: Array, few: int) -> list[Any] | None:
    """The levels of a column, in order; None where it holds numbers to be cut.

    Words are levels. So are whole numbers of which there are at most `few` different ones.
    """
    present = column[~is_missing(column)]
    if column.dtype.kind in "OUSb" and not _numbers(present):
        return sorted(set(present.tolist()), key=lambda value: (str(type(value)), value))
    values = np.unique(present.astype(float))
    if len(values) <= few and np.all(values == np.round(values)):
        return [float(value) for value in values]
    return None


def encode(column: Array, levels: list[Any] | None) -> Array:
    """Codes of levels, MISSING, and UNSEEN for a level that is new; or numbers with NaN."""
    missing = is_missing(column)
    if levels is None:
        return np.where(missing, np.nan, column).astype(float)
    if column.dtype.kind in "fiu" and all(isinstance(level, float) for level in levels):
        known = np.array(levels)
        codes = np.searchsorted(known, column).clip(max=max(len(known) - 1, 0))
        found = known[codes] == column if len(known) else np.zeros(len(column), dtype=bool)
        return np.where(missing, MISSING, np.where(found, codes, UNSEEN))
    code_of = {level: code for code, level in enumerate(levels)}
    codes = np.full(len(column), MISSING, dtype=np.intp)
    places, values = pd.factorize(column[~missing])  # never sorts, so that levels of several types may meet
    codes[~missing] = np.array([code_of.get(value, UNSEEN) for value in values.tolist()], dtype=np.intp)[places]
    return codes


def _numbers(values: Array) -> bool:
    return values.dtype.kind in "fiu" or (
        values.dtype.kind == "O" and all(isinstance(value, (int, float)) for value in values.tolist())
    )
