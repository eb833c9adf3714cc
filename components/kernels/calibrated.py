"""Machines that know sides, made to answer with probabilities."""

from __future__ import annotations

from abc import abstractmethod
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from penstock.components.kernels.kernel import finite_kernel

Array = np.ndarray[Any, Any]


class CalibratedMachine(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Distances become probabilities by Platt's sigmoid, fitted to held-out rows. Subclasses give the machine.

    Attributes
    ----------
    calibrated_ : CalibratedClassifierCV
        The machine, fitted on all rows, and its sigmoids.
    """

    kernel: str
    folds: int

    takes_kernel_columns: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"folds": [Interval(Integral, 2, None, closed="left")]}

    @abstractmethod
    def _machine(self) -> Any:
        """The machine, not fitted."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
            # A part without a single row that counts could not be fitted; but the rows of a square are its columns.
            counted = (sample_weight > 0) | (self.kernel == "precomputed")
            X, y, sample_weight = X[counted], y[counted], sample_weight[counted]
        self.classes_, counts = np.unique(y, return_counts=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes, but the data holds one class: '{self.classes_[0]}'"
            )
        folds = min(self.folds, int(counts.min()))
        rows = np.arange(len(y))
        # With no row of some class to spare, the sigmoid has to make do with the rows of the machine itself.
        calibrated = CalibratedClassifierCV(self._machine(), cv=folds if folds > 1 else [(rows, rows)], ensemble=False)
        self.calibrated_ = self._fitted(calibrated, X, y, sample_weight)
        return self

    def _fitted(
        self, calibrated: CalibratedClassifierCV, X: Array, y: Array, weights: Array | None
    ) -> CalibratedClassifierCV:
        return calibrated.fit(X, y, weights)

    @property
    def machine_(self) -> Any:
        """The machine, fitted on all rows."""
        check_is_fitted(self)
        return self.calibrated_.calibrated_classifiers_[0].estimator

    def predict_proba(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return finite_kernel(self.calibrated_.predict_proba(X), self.kernel)

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        return self.classes_[self.predict_proba(X).argmax(axis=1)]  # type: ignore[no-any-return]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
