"""The gate of a reduction."""

from __future__ import annotations

from penstock.problems.comparison import CompareInput, Difference
from penstock.problems.reduction.scoring import ReductionScoring
from penstock.problems.rows.unsupervised.compare import compare_scored


def compare(given: CompareInput) -> Difference:
    return compare_scored(given, ReductionScoring())
