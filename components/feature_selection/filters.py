"""Keep the columns that a test of independence or a count of information finds most telling."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.feature_selection import chi2, f_classif, f_regression
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_non_negative

from penstock.components.analysis.association import entropy
from penstock.components.feature_selection.ranking import RankingSelector, is_quantity

Array = np.ndarray[Any, Any]


class AnovaSelector(RankingSelector):
    """Keep the columns with the largest F: how far the classes' means are apart, or how well a line fits a quantity.

    Parameters
    ----------
    keep : int
        How many columns to keep; all of them, where there are fewer.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features_in_,)
        F statistics.
    """

    def __init__(self, keep: int = 20) -> None:
        self.keep = keep

    def _score(self, X: Array, y: Array) -> Array:
        with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):
            warnings.filterwarnings("ignore", message="Features .* are constant", category=UserWarning)
            scores: Array = (f_regression if is_quantity(y) else f_classif)(X, y)[0]
        return np.abs(scores)  # of a line that fits to the last bit, rounding may give minus infinity


class ChiSquaredSelector(RankingSelector):
    """Keep the columns whose sums over the classes differ most from what independence would give.

    Columns are counts, amounts or zeros and ones: none is negative. The scores of a nominal column's indicators add up
    to the chi-squared of its table against the classes.

    Parameters
    ----------
    keep : int
        How many columns to keep; all of them, where there are fewer.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features_in_,)
        Chi-squared statistics.
    """

    def __init__(self, keep: int = 20) -> None:
        self.keep = keep

    def _score(self, X: Array, y: Array) -> Array:
        check_non_negative(X, "the chi-squared filter")
        with np.errstate(divide="ignore", invalid="ignore"):
            scores: Array = chi2(X, _codes(y))[0]
        return scores

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


class InformationGainSelector(RankingSelector):
    """Keep the columns that, cut into groups, leave least uncertainty about the class: the gain of a tree's split.

    Parameters
    ----------
    keep : int
        How many columns to keep; all of them, where there are fewer.
    bins : int
        A column with more different values than this is cut into as many groups of equal size.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features_in_,)
        Information gain in nats.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "bins": [Interval(Integral, 2, None, closed="left")],
    }

    def __init__(self, keep: int = 20, bins: int = 10) -> None:
        self.keep = keep
        self.bins = bins

    def _score(self, X: Array, y: Array) -> Array:
        codes = _codes(y)
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


def _codes(y: Array) -> Array:
    return np.unique(y, return_inverse=True)[1]
