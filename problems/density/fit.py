"""Fit one density on one fold."""

from __future__ import annotations

from penstock.problems.density.scoring import DensityScoring
from penstock.problems.fits import FitInput, FitResult
from penstock.problems.rows.unsupervised.fit import fit_scored


def fit(given: FitInput) -> FitResult:
    return fit_scored(given, DensityScoring())
