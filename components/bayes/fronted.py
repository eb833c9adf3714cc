"""Naive Bayes behind a step that makes of any number what the distribution is about."""

from __future__ import annotations

from abc import ABC, abstractmethod
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.pipeline import make_pipeline
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, has_fit_parameter, validate_data

from penstock.components.bayes.posterior import posterior

Array = np.ndarray[Any, Any]


class FrontedNaiveBayes(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Shared by the naive Bayes classifiers whose columns are not any numbers: subclasses give the two steps.

    Without smoothing (`alpha` 0) what a class has never shown is impossible there; where it is so in all classes, the
    answer is how common they are.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "alpha": [Interval(Real, 0, None, closed="left")],
        "fit_prior": ["boolean"],
    }

    def __init__(self, alpha: float = 1.0, fit_prior: bool = True) -> None:
        self.alpha = alpha
        self.fit_prior = fit_prior

    @abstractmethod
    def _steps(self) -> tuple[Any, Any]:
        """What stands in front, and the classifier."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
            counted = sample_weight != 0  # a row that does not count may not stretch a column's range either
            X, y, sample_weight = X[counted], y[counted], sample_weight[counted]
        front, model = self._steps()
        weighted = {"sample_weight": sample_weight} if has_fit_parameter(front, "sample_weight") else {}
        with np.errstate(divide="ignore", invalid="ignore"):
            model.fit(front.fit(X, **weighted).transform(X), y, sample_weight=sample_weight)
        self.pipeline_ = make_pipeline(front, model)
        self.classes_ = model.classes_
        return self

    def predict_joint_log_proba(self, X: Any) -> Array:
        """log P(x, class) of every row and class."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self._joint(self.pipeline_[0].transform(X))

    def _joint(self, rows: Array) -> Array:
        """The same of rows that have passed the front."""
        return self.pipeline_[-1].predict_joint_log_proba(rows)  # type: ignore[no-any-return]

    def predict_proba(self, X: Any) -> Array:
        joint = self.predict_joint_log_proba(X)
        return posterior(joint, np.exp(self.pipeline_[-1].class_log_prior_))

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        return self.classes_[self.predict_proba(X).argmax(axis=1)]  # type: ignore[no-any-return]
