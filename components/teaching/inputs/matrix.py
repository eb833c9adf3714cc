"""A table of numbers as a matrix, with the names of its rows where it has them."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from penstock.components.schema import require_columns
from penstock.errors import DataError, examples

Matrix = NDArray[np.float64]


def square(frame: pd.DataFrame) -> tuple[list[str], Matrix]:
    """A matrix with as many columns as rows; a column in front may hold the names of the rows."""
    if frame.shape[1] == len(frame) + 1:
        names, numbers = frame.iloc[:, 0].astype(str).tolist(), frame.iloc[:, 1:]
    else:
        names, numbers = [str(name) for name in frame.columns], frame
    if numbers.shape[1] != len(numbers):
        raise DataError(
            "PEN223",
            f"{len(frame)} rows and {frame.shape[1]} columns make no square matrix",
            where="the table",
            remedy="give one row and one column to each thing, the names of the rows in a column in front or nowhere; "
            "a file without a header is read with --reading header=false",
        )
    return names, finite(numbers)


def finite(frame: pd.DataFrame) -> Matrix:
    """All columns as numbers, none of them missing."""
    require_columns(frame, [])
    words = [name for name, column in frame.items() if not pd.api.types.is_numeric_dtype(column)]
    if words:
        raise DataError(
            "PEN224",
            f"{len(words)} column(s) hold something else than numbers: {examples(words)}",
            where=f"column '{words[0]}'",
            remedy="leave these columns out, or correct their values",
        )
    numbers = frame.to_numpy(dtype=float, na_value=np.nan)
    bad = np.argwhere(~np.isfinite(numbers))
    if len(bad):
        row, column = bad[0]
        raise DataError(
            "PEN224",
            f"{len(bad)} value(s) are missing or infinite",
            where=f"row {row}, column '{frame.columns[column]}' (rows counted from 0)",
            remedy="fill them in: every value of the matrix is needed",
        )
    return numbers
