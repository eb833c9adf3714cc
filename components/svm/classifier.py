"""A support vector classifier that answers with probabilities."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.svm import SVC, LinearSVC
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

Array = np.ndarray[Any, Any]


class CalibratedSVC(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A support vector machine whose distances become probabilities by Platt's sigmoid, fitted to held-out rows.

    The linear kernel is solved in the space of the columns (scikit-learn's LinearSVC, squared hinge), which is quick
    on many rows; the others by libsvm, whose time grows faster than the square of the rows. There are no class
    weights: the sigmoid would undo them.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly", "sigmoid"}
        How alike two rows are.
    C : float
        What an error costs against a wide margin.
    gamma : "scale", "auto" or float
        Width of the kernel, except of the linear one.
    degree : int
        Of the kernel "poly".
    coef0 : float
        Of the kernels "poly" and "sigmoid".
    folds : int
        Parts of the rows, each predicted by a fit on the others, to which the sigmoid is fitted; fewer where a class
        has fewer rows.
    random_state : int, RandomState or None
        Seed of the linear solver.

    Attributes
    ----------
    calibrated_ : CalibratedClassifierCV
        The machine, fitted on all rows, and its sigmoids.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "kernel": [StrOptions({"rbf", "linear", "poly", "sigmoid"})],
        "C": [Interval(Real, 0, None, closed="neither")],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0, None, closed="neither")],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "folds": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        kernel: str = "rbf",
        C: float = 1.0,
        gamma: str | float = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        folds: int = 5,
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.folds = folds
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
            counted = sample_weight > 0  # a part without a single row that counts could not be fitted
            X, y, sample_weight = X[counted], y[counted], sample_weight[counted]
        self.classes_, counts = np.unique(y, return_counts=True)
        if len(self.classes_) < 2:
            raise ValueError(f"CalibratedSVC needs two classes, but the data holds one class: {self.classes_[0]!r}")
        folds = min(self.folds, int(counts.min()))
        rows = np.arange(len(y))
        # With no row of some class to spare, the sigmoid has to make do with the rows of the machine itself.
        calibrated = CalibratedClassifierCV(self._machine(), cv=folds if folds > 1 else [(rows, rows)], ensemble=False)
        self.calibrated_ = calibrated.fit(X, y, sample_weight)
        return self

    def _machine(self) -> Any:
        if self.kernel == "linear":
            # In the primal form rows are visited in order and the answer is the same on every machine.
            return LinearSVC(C=self.C, dual=False, random_state=self.random_state)
        return SVC(kernel=self.kernel, C=self.C, gamma=self.gamma, degree=self.degree, coef0=self.coef0)

    def predict_proba(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.calibrated_.predict_proba(X)  # type: ignore[no-any-return]

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        return self.classes_[self.predict_proba(X).argmax(axis=1)]  # type: ignore[no-any-return]
