"""Fit one reduction on one fold."""

from __future__ import annotations

from penstock.errors import DataError
from penstock.problems.fits import FitInput, FitResult
from penstock.problems.reduction.scoring import ReductionScoring
from penstock.problems.rows.unsupervised.fit import fit_scored

MIN_COLUMNS = 2


def fit(given: FitInput) -> FitResult:
    require_columns(given.matrices.train.shape[1])
    return fit_scored(given, ReductionScoring())


def require_columns(columns: int) -> None:
    if columns < MIN_COLUMNS:
        raise DataError(
            "PEN345",
            f"a reduction puts few columns in the place of many, and the preparation gives {columns}",
            where="data.columns",
            remedy="use more columns, or leave the table as it is",
        )
