"""Levels thrown into a fixed number of columns."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.feature_extraction import FeatureHasher
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

Array = np.ndarray[Any, Any]


class HashingEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Feature hashing: each level of each column adds one to (or subtracts one from) a column that its hash chooses.

    It is scikit-learn's FeatureHasher for tables. Nothing is fitted, so that new levels are like any other and the
    model stays small; levels that meet in one column cannot be told apart. Missing is a level of its own. A whole
    number is one level, whether it is stored as an integer or, beside missing values, as a floating-point number.

    Parameters
    ----------
    columns : int, default=32
        Number of columns for all levels together.
    signs : bool, default=True
        Whether half of the levels count as minus one, so that levels that meet cancel out on average.

    Examples
    --------
    >>> from penstock.components.preprocessing.hashing import HashingEncoder
    >>> HashingEncoder(columns=8, signs=False).fit_transform([["red"], ["blue"], ["red"]]).sum(axis=1).tolist()
    [1.0, 1.0, 1.0]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "columns": [Interval(Integral, 1, None, closed="left")],
        "signs": ["boolean"],
    }

    def __init__(self, columns: int = 32, signs: bool = True) -> None:
        self.columns = columns
        self.signs = signs

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        validate_data(self, X, dtype=None, ensure_all_finite=False)
        return self

    def transform(self, X: Any) -> Array:
        check_is_fitted(self, "n_features_in_")
        values = validate_data(self, X, dtype=None, ensure_all_finite=False, reset=False)
        hasher = FeatureHasher(self.columns, input_type="string", alternate_sign=self.signs)
        matrix = np.zeros((len(values), self.columns))
        for name, column in zip(_check_feature_names_in(self), values.T, strict=True):
            codes, levels = pd.factorize(column)
            words = [f"{name}={_said(level)}" for level in levels] + [f"{name} is missing"]  # which has the code -1
            matrix += hasher.transform([[word] for word in words]).toarray()[codes]
        return matrix

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        check_is_fitted(self, "n_features_in_")
        return np.array([f"hash {number}" for number in range(self.columns)], dtype=object)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def _said(level: object) -> str:
    return str(int(level)) if isinstance(level, float | np.floating) and level.is_integer() else str(level)
