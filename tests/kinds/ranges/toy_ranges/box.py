"""The box between two quantiles of every column."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data


class QuantileBox(BaseEstimator):
    """Holds this share of every column, the same on both sides."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"share": [Interval(Real, 0, 1, closed="neither")]}

    def __init__(self, share: float = 0.9) -> None:
        self.share = share

    def fit(self, X: Any, y: Any = None) -> QuantileBox:
        X = validate_data(self, X)
        beyond = (1 - self.share) / 2
        self.low_, self.high_ = np.quantile(X, [beyond, 1 - beyond], axis=0)
        return self

    def predict(self, X: Any) -> Any:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        return ((self.low_ <= X) & (self.high_ >= X)).all(axis=1)

    def score(self, X: Any, y: Any = None) -> float:
        return float(self.predict(X).mean())
