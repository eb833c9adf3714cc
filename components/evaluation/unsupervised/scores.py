"""Which scores a problem without a truth has, and how a model gets them on rows that it has not seen."""

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
from penstock.errors import DataError

Array = np.ndarray[Any, Any]

METRICS = {"reduction": "reconstruction", "density": "log_likelihood"}
LABELS = {
    "reconstruction": "Reconstruction of held-out entries",
    "explained_variance": "Explained variance",
    "trustworthiness": "Trustworthiness of neighbours",
    "log_likelihood": "Log-likelihood of a row",
}
MIN_COLUMNS = 2


def main_score(problem: str, model: Any, mean: Array, X: Array, seed: int) -> RowScores:
    """The score that decides. `mean`: of the training rows."""
    if problem == "density":
        return RowScores(np.asarray(model.score_samples(X)), np.ones(len(X)))
    return held_out_entries(model, X, mean, seed)


def all_scores(problem: str, model: Any, mean: Array, X: Array, seed: int) -> dict[str, RowScores]:
    """By name, the one that decides first."""
    found = {METRICS[problem]: main_score(problem, model, mean, X, seed)}
    if problem == "reduction":
        found["explained_variance"] = explained_variance(model, X, mean)
        if 3 <= len(X) <= MAX_ROWS:
            found["trustworthiness"] = trustworthiness(X, np.asarray(model.transform(X)))
    return found


def require_finite_scores(scores: RowScores, name: str) -> None:
    """A density that is zero where rows were found has a likelihood of nothing."""
    impossible = int((~np.isfinite(scores.gain)).sum())
    if impossible:
        raise DataError(
            "PEN346",
            f"'{name}' calls {impossible} of {len(scores.gain)} unseen rows impossible",
            where=f"models: {name}",
            remedy="take a wider bandwidth, or a kernel that ends nowhere: gaussian or exponential",
        )


def require_columns_to_reduce(columns: int) -> None:
    if columns < MIN_COLUMNS:
        raise DataError(
            "PEN345",
            f"a reduction puts few columns in the place of many, and the preparation gives {columns}",
            where="data.columns",
            remedy="use more columns, or leave the table as it is",
        )
