"""Keep the columns that each alone say most about the target."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.feature_selection import mutual_info_classif, mutual_info_regression
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import check_classification_targets

from penstock.components.centring import in_own_units
from penstock.components.feature_selection.ranking import RankingSelector, is_quantity

Array = np.ndarray[Any, Any]


class MutualInformationSelector(RankingSelector):
    """Select the columns with the largest mutual information with the target.

    A target of floating-point numbers is taken as a quantity, any other as classes. Columns with few different values
    are counted; the information of the others is estimated from distances to their nearest neighbours.

    Parameters
    ----------
    keep : int, default=20
        Number of columns to keep; all of them, where there are fewer.
    few : int, default=10
        A column with at most this many different values is counted.
    n_neighbors : int, default=3
        Number of neighbours of the estimate for continuous columns.
    random_state : int, RandomState instance or None, default=None
        Seed of the tiny noise that breaks ties between continuous values.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features_in_,)
        Mutual information in nats.

    Examples
    --------
    >>> from penstock.components.feature_selection.mutual_information import MutualInformationSelector
    >>> X = [[0, 1], [0, 0], [1, 0], [1, 0]]
    >>> selector = MutualInformationSelector(keep=1, random_state=0).fit(X, ["a", "a", "b", "b"])
    >>> selector.scores_.round(2).tolist()
    [0.69, 0.22]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "few": [Interval(Integral, 0, None, closed="left")],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, keep: int = 20, few: int = 10, n_neighbors: int = 3, random_state: Any = None) -> None:
        self.keep = keep
        self.few = few
        self.n_neighbors = n_neighbors
        self.random_state = random_state

    def _score(self, X: Array, y: Array) -> Array:
        measure = mutual_info_regression
        if not is_quantity(y):
            check_classification_targets(y)
            measure = mutual_info_classif
            if np.unique(y, return_counts=True)[1].max() < 2:  # which the library has no words for
                raise ValueError(f"{type(self).__name__} needs a class with at least 2 samples, and here all have one")
        else:
            y = in_own_units(y)
        X, counted = self._codes_of_few(X)
        scores: Array = measure(
            X,
            y,
            discrete_features=counted,
            n_neighbors=min(self.n_neighbors, len(X) - 1),
            random_state=check_random_state(self.random_state),
        )
        return scores

    def _codes_of_few(self, X: Array) -> tuple[Array, Array]:
        """The matrix with codes in the columns of few different values, and which those are."""
        # Counting needs values that come again: where few rows make few values, they are taken as continuous.
        most = min(self.few, len(X) // 2)
        # The library breaks ties by noise in proportion to the numbers, which far from zero would drown them.
        coded = in_own_units(X)
        counted = np.zeros(X.shape[1], dtype=bool)
        for place, column in enumerate(X.T):
            values, codes = np.unique(column, return_inverse=True)
            if len(values) <= most:
                coded[:, place], counted[place] = codes, True
        return coded, counted
