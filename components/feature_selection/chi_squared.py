"""Keep the columns that a test of independence finds most telling."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.feature_selection import chi2
from sklearn.utils import Tags
from sklearn.utils.validation import check_non_negative

from penstock.components.feature_selection.ranking import RankingSelector, class_codes

Array = np.ndarray[Any, Any]


class ChiSquaredSelector(RankingSelector):
    """Select the columns whose sums over the classes differ most from what independence would give.

    Columns are counts, amounts or zeros and ones: none is negative. A column of zeros and ones has the chi-squared of
    its table against the classes, in which the zeros count as much as the ones.

    Parameters
    ----------
    keep : int, default=20
        Number of columns to keep; all of them, where there are fewer.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features_in_,)
        Chi-squared statistics.

    Examples
    --------
    >>> from penstock.components.feature_selection.chi_squared import ChiSquaredSelector
    >>> X = [[1, 1], [1, 0], [0, 1], [0, 0]]
    >>> selector = ChiSquaredSelector(keep=1).fit(X, ["a", "a", "b", "b"])
    >>> selector.scores_.tolist()
    [4.0, 0.0]
    >>> selector.get_support().tolist()
    [True, False]
    """

    def __init__(self, keep: int = 20) -> None:
        self.keep = keep

    def _score(self, X: Array, y: Array) -> Array:
        check_non_negative(X, "the chi-squared filter")
        codes = class_codes(y)
        scores = _sums(X, codes)
        marks = ((X == 0) | (X == 1)).all(axis=0)
        if marks.any():
            scores[marks] += _sums(1 - X[:, marks], codes)
        return scores

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


def _sums(X: Array, codes: Array) -> Array:
    """Of the sums over the classes alone; none where there is nothing to sum."""
    with np.errstate(divide="ignore", invalid="ignore"):
        scores: Array = np.nan_to_num(chi2(X, codes)[0], posinf=np.inf)
    return scores
