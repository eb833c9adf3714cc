"""A regression that says how far off it may be."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, RegressorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils._param_validation import HasMethods, Interval
from sklearn.utils.validation import check_is_fitted, column_or_1d

Array = np.ndarray[Any, Any]


class IntervalRegressor(RegressorMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A model whose predictions come with an interval of fixed width.

    Parameters
    ----------
    estimator : regressor
        The model; a copy is fitted.
    half_width : float
        How far the interval goes to either side.

    Attributes
    ----------
    estimator_ : regressor
        The fitted model.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "estimator": [HasMethods(["fit", "predict"])],
        "half_width": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, estimator: Any, half_width: float = 0.0) -> None:
        self.estimator = estimator
        self.half_width = half_width

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        weighing = {} if sample_weight is None else {"sample_weight": sample_weight}
        self.estimator_ = clone(self.estimator).fit(X, column_or_1d(y, warn=True), **weighing)
        if hasattr(self.estimator_, "n_features_in_"):
            self.n_features_in_ = self.estimator_.n_features_in_
        return self

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        prediction: Array = self.estimator_.predict(X)
        return prediction

    def intervals(self, prediction: Array) -> Array:
        """Low and high ends, in two columns."""
        return np.column_stack([prediction - self.half_width, prediction + self.half_width])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags
