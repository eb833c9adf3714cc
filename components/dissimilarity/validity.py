"""What a matrix of dissimilarities has to be: square, finite, not negative, zero on the diagonal.

Symmetry is asked for by methods, and can be made; the triangle inequality is asked for by nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from penstock.errors import ClusteringError

TOLERANCE = 1e-9

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class _Place:
    """Where a fault is: by the names of two things, else by row and column."""

    where: str = "the matrix"
    names: Sequence[str] | None = None

    def at(self, row: int, column: int) -> str:
        if self.names is not None:
            return f"{self.where}: '{self.names[row]}' to '{self.names[column]}'"
        return f"row {row}, column {column} of {self.where} (counted from 0)"


def require_dissimilarities(
    given: Any, *, symmetric: bool = True, of: Sequence[str] | None = None, where: str = "the matrix"
) -> Matrix:
    """The matrix, where it is one of dissimilarities; each fault with its place, by the names `of` the things."""
    matrix = np.asarray(given, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ClusteringError(
            "PEN223",
            f"a matrix of shape {matrix.shape} is not square",
            where="the precomputed matrix",
            remedy="give one row and one column to each thing, in the same order",
        )
    place = _Place(where, of)
    require_values(matrix, place)
    _refuse(
        place,
        np.diag(np.diag(np.abs(matrix))) > TOLERANCE,
        matrix,
        "PEN226",
        "{count} thing(s) differ from themselves, the first by {value:g}",
        "correct the diagonal, which has to be zero; if large values mean alike, give 1 - similarity",
    )
    if symmetric:
        _refuse(
            place,
            np.abs(matrix - matrix.T) > TOLERANCE * max(1.0, float(matrix.max(initial=0.0))),
            matrix,
            "PEN334",
            "{count} value(s) differ from the one in the other direction; the first is {value:g}",
            "make it symmetric, e.g. (D + D.T) / 2, as `penstock diagnose distance-validity` does",
        )
    return matrix


def require_values(matrix: Matrix, place: _Place | None = None) -> None:
    """Every dissimilarity there, and none below zero; also of rows to other rows."""
    place = place or _Place()
    _refuse(
        place,
        ~np.isfinite(matrix),
        matrix,
        "PEN224",
        "{count} value(s) are missing or infinite (NaN or inf)",
        "fill them in: every dissimilarity is needed",
    )
    _refuse(
        place,
        matrix < 0,
        matrix,
        "PEN225",
        "{count} value(s) are negative, the first is {value:g}",
        "a dissimilarity is never negative: correct these values, or shift all but the diagonal",
    )


def symmetrised(matrix: Any) -> Matrix:
    """The mean of both directions."""
    given = np.asarray(matrix, dtype=np.float64)
    even: Matrix = (given + given.T) / 2
    return even


def _refuse(place: _Place, bad: NDArray[np.bool_], matrix: Matrix, code: str, what: str, remedy: str) -> None:
    if bad.any():
        row, column = (int(found) for found in np.argwhere(bad)[0])
        raise ClusteringError(
            code,
            what.format(count=int(bad.sum()), value=matrix[row, column]),
            where=place.at(row, column),
            remedy=remedy,
        )
