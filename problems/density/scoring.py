"""What a density is worth on rows that it has not seen."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import norm

from penstock.components.evaluation.unsupervised.row_scores import RowScores
from penstock.problems.rows.unsupervised.scoring import Array, Scoring

NARROWEST = 1e-6
"""Added to variances, as mixtures do: a column that is constant in the training rows has none."""


class DensityScoring(Scoring):
    """How likely rows are."""

    labels = {"log_likelihood": "Log-likelihood of a row"}  # noqa: RUF012  the type says that it does not change
    floor = "one normal distribution for each column by itself"

    def main(self, model: Any, mean: Array, X: Array, seed: int) -> RowScores:
        return RowScores(np.asarray(model.score_samples(X)), np.ones(len(X)))

    def of_floor(self, known: Array, X: Array, ours: RowScores) -> RowScores:
        mean, spread = known.mean(axis=0), np.sqrt(known.var(axis=0) + NARROWEST)
        return RowScores(norm.logpdf(X, mean, spread).sum(axis=1), np.ones(len(X)))
