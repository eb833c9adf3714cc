"""A kernel of a person's own, as the columns of a table: each row holds its kernel values with things.

Every row that is trained on is one of the things: the one that it is most alike to, since K(x, x) is the largest value
of its row. A kernel divided by the root of both diagonals is always so. Then any part of the rows has its matrix, and
new rows need not be one of the things.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.components.kernels.gram import require_kernel

Array = np.ndarray[Any, Any]

AS_COLUMNS = "precomputed-columns"
SAME = 1e-7  # of the largest value: what two things may differ by whose likeness rounds to that of each with itself


def columns_for(model: Any) -> Any:
    """The model, told that its given kernel comes as columns: a pipeline has rows, and never a square."""
    if getattr(model, "takes_kernel_columns", False) and model.kernel == "precomputed":
        model.set_params(kernel=AS_COLUMNS)
    return model


def kernel_of_columns(X: Array, of: Array | None = None) -> Array:
    """The kernel of the rows with the rows `of`, which are things, or with each other."""
    return np.asarray(X[:, own_columns(X if of is None else of)])


def own_columns(X: Array) -> Array:
    """For each row the place of its own thing."""
    return np.asarray(X.argmax(axis=1))


def require_kernel_columns(X: Array, names: Sequence[str] | None = None) -> Array:
    """The kernel of the training rows with each other, where their columns hold one; they are called by `names`."""
    _require_own(X, names)
    gram = kernel_of_columns(X)
    require_kernel(gram)
    return gram


def _require_own(X: Array, names: Sequence[str] | None) -> None:
    """Rows that are the same thing have the same values, and so have columns that a row is most alike to."""
    own, first, whose = np.unique(own_columns(X), return_index=True, return_inverse=True)
    allowed = SAME * max(1.0, float(np.abs(X).max()))
    strange = np.abs(X - X[first[whose]]).max(axis=1)
    if strange.max() > allowed:
        row = int(strange.argmax())
        raise ValueError(
            f"rows {first[whose[row]]} and {row} (counted from 0) differ, and both are most alike to "
            f"{_named(own[whose[row]], names)}: of one of them it is not the column of its own, in which a row's value "
            "has to be its largest"
        )
    for row, column in zip(first, own, strict=True):
        alike = np.flatnonzero(X[row] == X[row, column])
        apart = np.abs(X[:, alike] - X[:, [column]]).max(axis=0)
        if apart.max() > allowed:
            other = alike[apart.argmax()]
            raise ValueError(
                f"row {row} (counted from 0) is most alike to {_named(column, names)} and to {_named(other, names)}, "
                "which differ: it is not clear which of them is its own"
            )


def _named(column: int, names: Sequence[str] | None) -> str:
    return f"column {column}" if names is None else f"'{names[column]}'"
