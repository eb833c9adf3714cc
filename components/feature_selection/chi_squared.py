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
            scores: Array = chi2(X, class_codes(y))[0]
        return scores

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags
