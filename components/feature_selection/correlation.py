"""Keep the columns that go best with the target along a line, or in their order."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy.stats import rankdata
from sklearn.utils._param_validation import StrOptions

from penstock.components.feature_selection.ranking import RankingSelector, class_columns

Array = np.ndarray[Any, Any]


class CorrelationSelector(RankingSelector):
    """Keep the columns whose correlation with the target is largest, whatever its sign.

    Of more than two classes it is the largest correlation with any one of them against the others.

    Parameters
    ----------
    keep : int
        How many columns to keep; all of them, where there are fewer.
    measure : {"pearson", "spearman"}
        Along a straight line, or of the ranks: along any curve that only rises or only falls.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features_in_,)
        Absolute correlations.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "measure": [StrOptions({"pearson", "spearman"})],
    }

    def __init__(self, keep: int = 20, measure: str = "pearson") -> None:
        self.keep = keep
        self.measure = measure

    def _score(self, X: Array, y: Array) -> Array:
        target = class_columns(y)
        if self.measure == "spearman":
            X, target = rankdata(X, axis=0), rankdata(target, axis=0)
        return np.asarray(np.abs(_unit(X).T @ _unit(target)).max(axis=1))


def _unit(columns: Array) -> Array:
    """Centred and of length one; a column that never changes is zero."""
    centred = columns - columns.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=0)
    moves = lengths > 1e-12 * np.abs(columns).max(axis=0)
    return np.asarray(np.divide(centred, lengths, out=np.zeros_like(centred), where=moves))
