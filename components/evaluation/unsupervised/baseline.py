"""What a reduction or a density has to beat: each column by itself, as if no column told anything of another."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import norm

from penstock.components.evaluation.intervals import Interval
from penstock.components.evaluation.unsupervised.row_scores import RowScores, difference
from penstock.components.evaluation.unsupervised.scores import main_score

Array = np.ndarray[Any, Any]

FLOORS = {
    "reduction": "the mean of each column",
    "density": "one normal distribution for each column by itself",
}
NARROWEST = 1e-6
"""Added to variances, as mixtures do: a column that is constant in the training rows has none."""


def gain_over_floor(
    problem: str,
    model: Any,
    known: Array,
    X: Array,
    *,
    seed: int,
    groups: Array | None = None,
    confidence: float = 0.95,
) -> Interval:
    """Its score on unseen rows X less that of the floor, which learns from the same `known` rows."""
    mean = known.mean(axis=0)
    ours = main_score(problem, model, mean, X, seed)
    if problem == "density":
        logs = norm.logpdf(X, mean, np.sqrt(known.var(axis=0) + NARROWEST)).sum(axis=1)
        floor = RowScores(logs, np.ones(len(X)))
    else:  # this score counts from the mean
        floor = RowScores(np.zeros(len(X)), ours.base)
    return difference(ours, floor, seed=seed, groups=groups, confidence=confidence)
