"""A linear regressor by its loss and its penalty."""

from __future__ import annotations

from numbers import Integral, Real
from types import SimpleNamespace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import Lasso, LinearRegression, QuantileRegressor, Ridge
from sklearn.svm import SVR, LinearSVR
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from penstock.components.centring import mean_of

Array = np.ndarray[Any, Any]

# Up to what share of the largest column one unit of all may go down, for the sake of small ones.
MIN_UNIT = 1e-9


class PenalisedRiskRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Linear regression of a chosen loss and penalty: minimises the sum of losses + lam * penalty of the weights.

    The intercept is free of the penalty. With a loss that is minus the logarithm of a noise's density, and lam *
    penalty that of a prior's, these are the most probable weights; lam = 0 is maximum likelihood. Every pair is fitted
    by the library's class for it, lam being converted into its parameter:

    | loss, of the residual r | penalty | class |
    |---|---|---|
    | squared, r² | l2; l1; none | Ridge with alpha = lam; Lasso with alpha = lam / (2 rows); LinearRegression |
    | absolute, abs(r) | l1, none | QuantileRegressor of the median with alpha = lam / (2 rows) |
    | absolute | l2 | SVR with epsilon = 0 and C = 1 / (2 lam); without an intercept LinearSVR |

    Absolute errors are worked out with columns and target about their means and in units in which their numbers are
    about 1, lam being converted along: their solvers take small numbers for nothing, and find no end far from zero.

    Books that write the mean of the losses + (lam / rows) * penalty mean the same lam; those with the mean + lam *
    penalty need rows * lam here.

    Parameters
    ----------
    loss : {"squared", "absolute"}, default="squared"
        The loss of a residual.
    penalty : {"l2", "l1", "none"}, default="l2"
        The penalty of the weights.
    lam : float, default=1.0
        Weight of the penalty, against the sum of losses.
    fit_intercept : bool, default=True
        Whether to fit an intercept.
    max_iter : int, default=10000
        Maximum number of iterations of iterative solvers.
    tol : float, default=0.0001
        Tolerance of iterative solvers.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Weights of the columns.
    intercept_ : float
        The intercept.
    n_iter_ : int
        Number of iterations of the library's class.

    Examples
    --------
    >>> from penstock.components.linear_regression.risk import PenalisedRiskRegressor
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0]]
    >>> model = PenalisedRiskRegressor(loss="absolute", penalty="none").fit(X, [1.0, 3.0, 5.0, 7.0, 90.0])
    >>> model.coef_.round(2).tolist(), round(float(model.intercept_), 2)
    ([2.0], 1.0)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "loss": [StrOptions({"squared", "absolute"})],
        "penalty": [StrOptions({"l2", "l1", "none"})],
        "lam": [Interval(Real, 0, None, closed="left")],
        "fit_intercept": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        loss: str = "squared",
        penalty: str = "l2",
        lam: float = 1.0,
        fit_intercept: bool = True,
        max_iter: int = 10_000,
        tol: float = 1e-4,
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.lam = lam
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        counted = weight > 0
        if not counted.all():
            X, y, weight = X[counted], y[counted], weight[counted]
        if self.loss == "absolute":
            model = self._in_units(X, y, weight)
        else:
            by = None if sample_weight is None else weight
            model = self._machine(weight, self.lam).fit(X, y, sample_weight=by)
        made = getattr(model, "n_iter_", None)  # the closed forms make no steps
        self.n_iter_ = 1 if made is None else max(int(np.max(made)), 1)
        self.coef_ = np.ravel(model.coef_)
        self.intercept_ = float(np.ravel(model.intercept_)[0])
        return self

    def _in_units(self, X: Array, y: Array, weight: Array) -> Any:
        middle, level = np.zeros(X.shape[1]), 0.0
        if self.fit_intercept:
            middle, level = mean_of(X, weight), float(mean_of(y, weight))
        X, y = X - middle, y - level
        unit, money = self._unit(X), float(np.abs(y).max()) or 1.0
        lam = 0.0
        if not self._free:
            lam = self.lam / unit if self.penalty == "l1" else self.lam / unit * (money / unit)
        model = self._machine(weight, lam)
        model.fit(X / unit, y / money, sample_weight=weight)
        found = SimpleNamespace(coef_=np.ravel(model.coef_) * money / unit, n_iter_=getattr(model, "n_iter_", None))
        found.intercept_ = level + float(np.ravel(model.intercept_)[0]) * money - float(middle @ found.coef_)
        return found

    @property
    def _free(self) -> bool:
        return self.penalty == "none" or self.lam == 0

    def _unit(self, X: Array) -> Any:
        """Of each column, or where a penalty compares weights one of all, in which none is next to nothing."""
        largest = np.abs(X).max(axis=0)
        if self._free:
            return np.where(largest > 0, largest, 1.0)
        if not largest.any():
            return 1.0
        most, least = float(largest.max()), float(largest[largest > 0].min())
        return most if self.penalty == "l2" else most * max(np.sqrt(least / most), MIN_UNIT)

    def _machine(self, weight: Array, lam: float) -> Any:
        rows = float(weight.sum())
        common: dict[str, Any] = {"fit_intercept": self.fit_intercept}
        if self.loss == "squared":
            if self._free:
                return LinearRegression(**common)
            if self.penalty == "l2":
                return Ridge(lam, **common)
            return Lasso(lam / (2 * rows), **common, max_iter=self.max_iter, tol=self.tol)
        if self._free or self.penalty == "l1":
            return QuantileRegressor(alpha=lam / (2 * rows), **common)
        C = 1 / (2 * lam)
        if self.fit_intercept:
            steps = min(self.max_iter * len(weight), np.iinfo(np.int32).max)  # of a row or two each
            return SVR(kernel="linear", C=C, epsilon=0.0, tol=self.tol, max_iter=steps)
        # Rows are drawn with a fixed seed, which decides nothing but the order of the steps.
        return LinearSVR(C=C, epsilon=0.0, **common, tol=self.tol, max_iter=self.max_iter, random_state=0)

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return X @ self.coef_ + self.intercept_  # type: ignore[no-any-return]
