"""Keep the columns that a count of information finds most telling."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from penstock.components.analysis.association import entropy
from penstock.components.feature_selection.ranking import RankingSelector, class_codes

Array = np.ndarray[Any, Any]


class InformationGainSelector(RankingSelector):
    """Select the columns with the largest information gain about the class, as of a tree's split.

    Parameters
    ----------
    keep : int, default=20
        Number of columns to keep; all of them, where there are fewer.
    bins : int, default=10
        A column with more different values than this is cut into as many groups of equal size.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features_in_,)
        Information gain in nats.

    Examples
    --------
    >>> from penstock.components.feature_selection.information_gain import InformationGainSelector
    >>> selector = InformationGainSelector(keep=1).fit([[0, 1], [0, 0], [1, 0], [1, 0]], ["a", "a", "b", "b"])
    >>> selector.scores_.round(3).tolist()
    [0.693, 0.216]
    >>> selector.get_support().tolist()
    [True, False]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "bins": [Interval(Integral, 2, None, closed="left")],
    }

    def __init__(self, keep: int = 20, bins: int = 10) -> None:
        self.keep = keep
        self.bins = bins

    def _score(self, X: Array, y: Array) -> Array:
        codes = class_codes(y)
        classes = int(codes.max()) + 1
        return np.array([_gain(self._groups(column) * classes + codes, classes) for column in X.T])

    def _groups(self, column: Array) -> Array:
        values, codes = np.unique(column, return_inverse=True)
        if len(values) <= self.bins:
            return codes
        edges = np.unique(np.quantile(column, np.arange(1, self.bins) / self.bins))
        return np.searchsorted(edges, column, side="right")


def _gain(cells: Array, classes: int) -> float:
    """Mutual information of the rows and columns of a table, in nats; `cells`: the place in it of each row of data."""
    table = np.bincount(cells, minlength=classes)
    table = np.pad(table, (0, -len(table) % classes)).reshape(-1, classes)
    return entropy(table.sum(axis=0)) + entropy(table.sum(axis=1)) - entropy(table.ravel())
