"""Filling with the mean of the row."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.impute import SimpleImputer
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

Array = np.ndarray[Any, Any]


class RowMeanImputer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """The mean of what a row has, for columns on one scale, such as ratings; of a row that has nothing, column means.

    Attributes
    ----------
    columns_ : SimpleImputer
        The means of the columns.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        self.columns_ = SimpleImputer(keep_empty_features=True).fit(X)
        return self

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        missing = np.isnan(X)
        known = (~missing).sum(axis=1)
        means = np.where(missing, 0.0, X).sum(axis=1) / np.maximum(known, 1)
        filled: Array = np.where(missing, means[:, None], X)
        if not known.all():
            filled[known == 0] = self.columns_.transform(X[known == 0])
        return filled

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
