"""A member of an ensemble that votes."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

Array = np.ndarray[Any, Any]


class Voter(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that hides its probabilities: the library then counts votes."""

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any) -> Self:
        self.estimator_ = clone(self.estimator).fit(X, y)
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X: Any) -> Array:
        return np.asarray(self.estimator_.predict(X))
