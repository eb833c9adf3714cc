"""Keep the columns that a test of means, or of a line, finds most telling."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.feature_selection import f_classif, f_regression

from penstock.components.centring import in_own_units
from penstock.components.feature_selection.ranking import RankingSelector, is_quantity

Array = np.ndarray[Any, Any]


class AnovaSelector(RankingSelector):
    """Select the columns with the largest F statistic of the class means, or of a linear fit to a quantity.

    Parameters
    ----------
    keep : int, default=20
        Number of columns to keep; all of them, where there are fewer.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features_in_,)
        F statistics.

    Examples
    --------
    >>> from penstock.components.feature_selection.anova import AnovaSelector
    >>> X = [[1.0, 5.0], [2.0, 1.0], [8.0, 4.0], [9.0, 2.0]]
    >>> selector = AnovaSelector(keep=1).fit(X, [0, 0, 1, 1])
    >>> selector.get_support().tolist()
    [True, False]
    """

    def __init__(self, keep: int = 20) -> None:
        self.keep = keep

    def _score(self, X: Array, y: Array) -> Array:
        # The library subtracts sums of squares, of which numbers far from zero or tiny ones leave nothing.
        X, y = in_own_units(X), in_own_units(y) if is_quantity(y) else y
        with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):
            warnings.filterwarnings("ignore", message="Features .* are constant", category=UserWarning)
            scores: Array = (f_regression if is_quantity(y) else f_classif)(X, y)[0]
        return np.abs(scores)  # of a line that fits to the last bit, rounding may give minus infinity
