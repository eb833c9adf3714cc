"""Numbers as the bin they fall into."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

Array = np.ndarray[Any, Any]


FIRST = 1000
# Whole numbers up to so many are names of levels, which no order may merge.
LEVELS = 50
EXACT = 2.0**53
UNSEEN = -1


def few_values(column: Array, most: int) -> Array | None:
    """The different values in their order, or None where they are more than this: mostly the first rows tell.

    Of whole numbers there may be LEVELS at least: they are counts, or codes of levels.
    """
    limit = max(most, LEVELS)
    if len(pd.unique(column[:FIRST])) > limit:
        return None
    values = np.sort(pd.unique(column))
    return values if len(values) <= (limit if _whole(values) else most) else None


def _whole(values: Array) -> bool:
    """Beyond `EXACT` every number is whole, whatever it is of."""
    return bool((values == np.round(values)).all()) and bool((np.abs(values) < EXACT).all())


def _between(values: Array) -> Array:
    """Half-way to the next; where nothing lies between, the next."""
    middle = values[:-1] / 2 + values[1:] / 2
    return np.where(middle > values[:-1], middle, values[1:])


class Binner(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Codes 0, 1, 2, ... of bins that hold about as many training rows each, none of them empty.

    A column with no more different values than bins gives each value a bin of its own: scikit-learn's KBinsDiscretizer
    cuts at quantiles only, and puts most columns of zeros and ones into a single bin. So does a column of no more than
    50 different whole numbers, which may be codes of levels: there, a number that the training rows lack is a level of
    which nothing is known, and has the code -1.

    Parameters
    ----------
    bins : int
        The most bins of a column.

    Attributes
    ----------
    edges_ : list of ndarray
        Where the next bin begins, for each column.
    levels_ : list of ndarray
        The levels of each column; none where other numbers fall into the bin that is nearest.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"bins": [Interval(Integral, 2, None, closed="left")]}

    def __init__(self, bins: int = 5) -> None:
        self.bins = bins

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X)
        values = [few_values(column, self.bins) for column in X.T]
        self.edges_ = [
            self._quantiles(column, weights) if few is None else _between(few)
            for column, few in zip(X.T, values, strict=True)
        ]
        self.levels_ = [few if few is not None and _whole(few) else np.empty(0) for few in values]
        return self

    def _quantiles(self, column: Array, weights: Array | None) -> Array:
        shares = np.arange(1, self.bins) / self.bins
        edges = np.unique(np.quantile(column, shares, method="inverted_cdf", weights=weights))
        return np.asarray(edges[edges > column.min()])

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        codes = [np.searchsorted(edges, column, side="right") for edges, column in zip(self.edges_, X.T, strict=True)]
        for code, levels, column in zip(codes, self.levels_, X.T, strict=True):
            if len(levels):
                code[levels[code] != column] = UNSEEN
        return np.column_stack(codes)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags
