"""Evaluate a reduction on the test rows."""

from __future__ import annotations

from penstock.problems.reduction.scoring import ReductionScoring
from penstock.problems.rows.unsupervised.evaluate import evaluate_scored
from penstock.problems.training import Evaluated, EvaluateInput


def evaluate(given: EvaluateInput) -> Evaluated:
    return evaluate_scored(given, ReductionScoring())
