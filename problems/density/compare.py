"""The gate of a density."""

from __future__ import annotations

from penstock.problems.comparison import CompareInput, Difference
from penstock.problems.density.scoring import DensityScoring
from penstock.problems.rows.unsupervised.compare import compare_scored


def compare(given: CompareInput) -> Difference:
    return compare_scored(given, DensityScoring())
