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
    """Imputes the mean of the row's known values, for columns on one scale, such as ratings.

    A row without any gets the means of the columns.

    Attributes
    ----------
    columns_ : SimpleImputer
        The means of the columns.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.preprocessing.imputation.row_mean import RowMeanImputer
    >>> ratings = [[4.0, np.nan, 2.0], [1.0, 5.0, np.nan]]
    >>> RowMeanImputer().fit_transform(ratings).tolist()
    [[4.0, 3.0, 2.0], [1.0, 5.0, 3.0]]
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
