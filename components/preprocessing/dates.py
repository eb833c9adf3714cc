"""Points in time as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

if TYPE_CHECKING:
    import pandas as pd


class DateEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Parts of the calendar, weekday and seconds since 1970 of each date, and whether it is missing.

    Missing dates give missing numbers; a column that had any when fitted gets one column of ones and zeros that tells.

    Attributes
    ----------
    encoders_ : list of skrub.DatetimeEncoder
        One for each column.
    with_missing_ : list of str
        The columns that had missing values.
    """

    def fit(self, X: pd.DataFrame, y: Any = None) -> Self:
        from skrub import DatetimeEncoder

        self.feature_names_in_ = np.array(X.columns, dtype=object)
        self.n_features_in_ = X.shape[1]
        self.encoders_ = [DatetimeEncoder(add_weekday=True).fit(X[name]) for name in X.columns]
        self.with_missing_ = [name for name in X.columns if X[name].isna().any()]
        return self

    def transform(self, X: pd.DataFrame) -> np.ndarray[Any, Any]:
        check_is_fitted(self)
        parts = [
            encoder.transform(X[name]).to_numpy(dtype=np.float64)
            for name, encoder in zip(self.feature_names_in_, self.encoders_, strict=True)
        ]
        return np.hstack([*parts, X[self.with_missing_].isna().to_numpy(dtype=np.float64)])

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray[Any, Any]:
        check_is_fitted(self)
        parts = [name for encoder in self.encoders_ for name in encoder.all_outputs_]
        return np.array([*parts, *(f"{name}_missing" for name in self.with_missing_)], dtype=object)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # a frame of dates, which no matrix of numbers can stand for
        tags.input_tags.allow_nan = True
        return tags
