"""Choose among reductions."""

from __future__ import annotations

from penstock.problems.reduction.scoring import ReductionScoring
from penstock.problems.rows.unsupervised.select import select_scored
from penstock.problems.selection import Selected, SelectInput


def select(given: SelectInput) -> Selected:
    return select_scored(given, ReductionScoring())
