"""Evaluate a density on the test rows."""

from __future__ import annotations

from penstock.problems.density.scoring import DensityScoring
from penstock.problems.rows.unsupervised.evaluate import evaluate_scored
from penstock.problems.training import Evaluated, EvaluateInput


def evaluate(given: EvaluateInput) -> Evaluated:
    return evaluate_scored(given, DensityScoring())
