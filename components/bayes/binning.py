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


def few_values(column: Array, most: int) -> Array | None:
    """The different values in their order, or None where they are more than this: mostly the first rows tell."""
    if len(pd.unique(column[:FIRST])) > most:
        return None
    values = pd.unique(column)
    return np.sort(values) if len(values) <= most else None


class Binner(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Codes 0, 1, 2, ... of bins that hold about as many training rows each, none of them empty.

    A column with no more different values than bins gives each value a bin of its own: scikit-learn's KBinsDiscretizer
    cuts at quantiles only, and puts most columns of zeros and ones into a single bin.

    Parameters
    ----------
    bins : int
        The most bins of a column.

    Attributes
    ----------
    edges_ : list of ndarray
        Where the next bin begins, for each column.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"bins": [Interval(Integral, 2, None, closed="left")]}

    def __init__(self, bins: int = 5) -> None:
        self.bins = bins

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X)
        self.edges_ = [self._edges(column, weights) for column in X.T]
        return self

    def _edges(self, column: Array, weights: Array | None) -> Array:
        values = few_values(column, self.bins)
        if values is not None:
            return np.asarray((values[:-1] + values[1:]) / 2)
        shares = np.arange(1, self.bins) / self.bins
        edges = np.unique(np.quantile(column, shares, method="inverted_cdf", weights=weights))
        return np.asarray(edges[edges > column.min()])

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        codes = [np.searchsorted(edges, column, side="right") for edges, column in zip(self.edges_, X.T, strict=True)]
        return np.column_stack(codes)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags
