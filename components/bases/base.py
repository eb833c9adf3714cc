"""What bases share: functions of numeric columns, named after the columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

Array = np.ndarray[Any, Any]


class Basis(TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Subclasses learn from training rows what they need, and give the new columns and their names."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}

    @abstractmethod
    def _learn(self, X: Array) -> None: ...

    @abstractmethod
    def _expand(self, X: Array) -> Array: ...

    @abstractmethod
    def _names(self, columns: Array) -> list[str]: ...

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64)
        self._learn(X)
        return self

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        with np.errstate(over="ignore", invalid="ignore"):
            expanded = self._expand(X)
        if not np.isfinite(expanded).all():
            raise ValueError(f"Input X contains a value too large for dtype('float64') in {type(self).__name__}")
        return expanded

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        check_is_fitted(self)
        return np.array(self._names(_check_feature_names_in(self, input_features)), dtype=object)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags
