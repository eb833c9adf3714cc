"""What clippers share, which bring far values back to the edge of what is usual in the training rows."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

Array = np.ndarray[Any, Any]


class Clipper(OneToOneFeatureMixin, TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Subclasses say where the edges are. Missing values stay missing.

    Attributes
    ----------
    low_, high_ : ndarray of shape (n_features_in_,)
        The edges; infinite for a column that has no value, or of whose values more than half are one and the same.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}

    @abstractmethod
    def _edges(self, X: Array) -> tuple[Array, Array]:
        """The lowest and the highest usual value of each column; not a number where there is none."""

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", category=RuntimeWarning)  # of a column with no value
            low, high = self._edges(X)
        # Equal edges would make a constant of a column that is, say, zero in most rows.
        usual = low < high
        self.low_, self.high_ = np.where(usual, low, -np.inf), np.where(usual, high, np.inf)
        return self

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        raised = np.maximum(X, self.low_)
        return np.asarray(np.minimum(raised, self.high_, out=raised))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags
