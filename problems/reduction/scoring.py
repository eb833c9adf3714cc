"""What a reduction is worth on rows that it has not seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.evaluation.unsupervised.reconstruction import (
    MAX_ROWS,
    explained_variance,
    held_out_entries,
    trustworthiness,
)
from penstock.components.evaluation.unsupervised.row_scores import RowScores
from penstock.problems.rows.unsupervised.scoring import Array, Scoring


class ReductionScoring(Scoring):
    """How much of a row comes back from few columns, of entries that were hidden and of all."""

    labels = {  # noqa: RUF012  the type says that it does not change
        "reconstruction": "Reconstruction of held-out entries",
        "explained_variance": "Explained variance",
        "trustworthiness": "Trustworthiness of neighbours",
    }
    floor = "the mean of each column"

    def main(self, model: Any, mean: Array, X: Array, seed: int) -> RowScores:
        return held_out_entries(model, X, mean, seed)

    def others(self, model: Any, mean: Array, X: Array) -> dict[str, RowScores]:
        found = {"explained_variance": explained_variance(model, X, mean)}
        if 3 <= len(X) <= MAX_ROWS:
            found["trustworthiness"] = trustworthiness(X, np.asarray(model.transform(X)))
        return found

    def of_floor(self, known: Array, X: Array, ours: RowScores) -> RowScores:
        """The score counts from the mean."""
        return RowScores(np.zeros(len(X)), ours.base)
