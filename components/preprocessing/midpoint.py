"""Ranks as the middles of equal parts of the line from 0 to 1."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

Array = np.ndarray[Any, Any]


class MidpointScaler(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Scales the rank i of K ordered levels to (i - 1/2) / K, so that levels enter distances as numbers do.

    Parameters
    ----------
    levels : list of int or None, default=None
        K of each column, whose ranks are counted from 0. Without it, a column's whole numbers from the least to the
        greatest of the training rows are its ranks.

    Attributes
    ----------
    lowest_ : ndarray of shape (n_features_in_,)
        The first rank of each column.
    count_ : ndarray of shape (n_features_in_,)
        K of each column.

    Examples
    --------
    >>> from penstock.components.preprocessing.midpoint import MidpointScaler
    >>> MidpointScaler().fit_transform([[1.0], [2.0], [4.0]]).tolist()
    [[0.125], [0.375], [0.875]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"levels": [list, None]}

    def __init__(self, levels: list[int] | None = None) -> None:
        self.levels = levels

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64)
        self.lowest_ = np.zeros(X.shape[1])
        if self.levels is not None:
            self.count_ = np.array(self.levels, dtype=np.float64)
        else:
            self.lowest_ = X.min(axis=0)
            self.count_ = X.max(axis=0) - self.lowest_ + 1
        return self

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        scaled: Array = (X - self.lowest_ + 0.5) / self.count_
        return scaled

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags
