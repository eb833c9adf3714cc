"""What selectors share that give every column a score and keep the best."""

from __future__ import annotations

from abc import ABC, abstractmethod
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from pandas.api.extensions import ExtensionDtype
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data

Array = np.ndarray[Any, Any]


class RankingSelector(SelectorMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Keep the columns with the largest scores; the first of those that are equal.

    A target of floating-point numbers is taken as a quantity, any other as classes. A score that is not defined, as of
    a column that never changes, counts as none.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features_in_,)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"keep": [Interval(Integral, 1, None, closed="left")]}

    keep: int

    @abstractmethod
    def _score(self, X: Array, y: Array) -> Array:
        """The larger, the more telling."""

    def fit(self, X: Any, y: Any) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, plain_target(y), dtype=np.float64, ensure_min_samples=2)
        scores = np.asarray(self._score(X, y), dtype=np.float64)
        self.scores_ = np.where(np.isnan(scores), 0.0, scores)
        return self

    def _get_support_mask(self) -> Array:
        check_is_fitted(self)
        best = np.argsort(-self.scores_, kind="stable")[: self.keep]
        mask = np.zeros(len(self.scores_), dtype=bool)
        mask[best] = True
        return mask

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def plain_target(y: Any) -> Any:
    """Whole numbers and truths of pandas as those of numpy: scikit-learn would make quantities of such classes."""
    own = isinstance(getattr(y, "dtype", None), ExtensionDtype)
    return y.to_numpy() if own and y.dtype.kind in "iub" and not y.isna().any() else y


def is_quantity(y: Array) -> bool:
    return bool(y.dtype.kind == "f")


def class_columns(y: Array) -> Array:
    """A target as columns: itself if it is a quantity; else for each class, of two for the second, who is of it."""
    if is_quantity(y):
        return y[:, None]
    classes = np.unique(y)
    return np.asarray(y[:, None] == (classes if len(classes) > 2 else classes[-1:]), dtype=np.float64)


def class_codes(y: Array) -> Array:
    """Classes as numbers from 0."""
    return np.unique(y, return_inverse=True)[1]
