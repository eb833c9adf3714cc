"""Keep the columns that go best with the target along a line, or in their order."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy.stats import rankdata
from sklearn.utils._param_validation import StrOptions

from penstock.components.feature_selection.ranking import RankingSelector, class_columns

Array = np.ndarray[Any, Any]


class CorrelationSelector(RankingSelector):
    """Select the columns with the largest absolute correlation with the target.

    With more than two classes it is the largest correlation with any one of them against the others.

    Parameters
    ----------
    keep : int, default=20
        Number of columns to keep; all of them, where there are fewer.
    measure : {"pearson", "spearman"}, default="pearson"
        Along a straight line, or of the ranks: along any curve that only rises or only falls.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features_in_,)
        Absolute correlations.

    Examples
    --------
    >>> from penstock.components.feature_selection.correlation import CorrelationSelector
    >>> X = [[1.0, 5.0], [2.0, 1.0], [3.0, 4.0], [40.0, 2.0]]
    >>> selector = CorrelationSelector(keep=1, measure="spearman").fit(X, [8.0, 6.0, 5.0, 1.0])
    >>> selector.scores_.round(2).tolist()
    [1.0, 0.4]
    >>> selector.get_support().tolist()
    [True, False]
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
        columns, lengths = _centred(X)
        wanted, sizes = _centred(target)
        return np.asarray((np.abs(columns.T @ wanted) / lengths[:, None] / sizes).max(axis=1))


def _centred(columns: Array) -> tuple[Array, Array]:
    """Columns about their means, and their lengths: endless of one that never changes, so that it goes with nothing."""
    means = columns.mean(axis=0)
    centred = columns - means
    lengths = np.sqrt(np.einsum("ij,ij->j", centred, centred))
    return centred, np.where(lengths > 1e-12 * np.sqrt(len(columns)) * np.abs(means), lengths, np.inf)
