"""Least squares whose weights may not grow beyond a bound."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from scipy.optimize import brentq, linprog, nnls
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import lars_path
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from penstock.components.centring import mean_of

Array = np.ndarray[Any, Any]

FINE = 1e-6
# What may be left of the slopes where a path ends that has led all the way.
AT_REST = 1e-8
# How much more than any error it counts to leave the bound.
HEAVY = 1e10


class NormConstrainedRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Least squares under a bound on the norm of the weights: ridge and lasso in their constrained form.

    Minimises the sum of squared errors over weights with sum of squares (l2), or sum of sizes (l1), at most t. Where
    the weights of least squares keep to the bound, they are the solution. Else the bound is met exactly, and the
    solution is that of ridge or of the lasso with some penalty lambda, which is larger the smaller t is: for l2 the
    root of a falling function, for l1 a point on the straight pieces of the lasso's path. The intercept is free.

    Parameters
    ----------
    norm : {"l2", "l1"}, default="l2"
        The sum of squared weights, or of their sizes.
    t : float or None, default=None
        The bound; None takes a share of the norm of least squares.
    share : float, default=0.5
        That share.
    fit_intercept : bool, default=True
        Whether to fit an intercept, which the bound leaves alone.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Weights of the columns.
    intercept_ : float
        The intercept.
    bound_ : float
        The bound t.
    penalty_ : float
        The lambda of sum of squared errors + lambda * norm that gives the same weights: `alpha` of ridge is this,
        `alpha` of the lasso this / (2 rows). 0 where the bound does not bind.

    Examples
    --------
    >>> from penstock.components.linear_regression.constrained import NormConstrainedRegressor
    >>> model = NormConstrainedRegressor(norm="l1", t=1.0).fit([[0.0], [1.0], [2.0]], [0.0, 2.0, 4.0])
    >>> model.coef_.round(2).tolist()
    [1.0]
    >>> round(model.penalty_, 2)
    4.0
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "norm": [StrOptions({"l2", "l1"})],
        "t": [Interval(Real, 0, None, closed="neither"), None],
        "share": [Interval(Real, 0, 1, closed="right")],
        "fit_intercept": ["boolean"],
    }

    def __init__(
        self, norm: str = "l2", t: float | None = None, share: float = 0.5, fit_intercept: bool = True
    ) -> None:
        self.norm = norm
        self.t = t
        self.share = share
        self.fit_intercept = fit_intercept

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        middle, level = np.zeros(X.shape[1]), 0.0
        if self.fit_intercept:
            middle, level = mean_of(X, weight), float(mean_of(y, weight))
        root = np.sqrt(weight)
        centred, target = root[:, None] * (X - middle), root * (y - level)
        within = _within_ball if self.norm == "l2" else _within_diamond
        self.coef_, self.bound_, self.penalty_ = within(centred, target, self.t, self.share)
        self.intercept_ = level - float(middle @ self.coef_)
        return self

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return X @ self.coef_ + self.intercept_  # type: ignore[no-any-return]


def _within_ball(X: Array, y: Array, t: float | None, share: float) -> tuple[Array, float, float]:
    """By singular values: the length of ridge's weights falls with the penalty, and is cheap to work out for any."""
    # In units of their own, squares of squares are numbers too.
    unit, money = (float(np.abs(part).max()) or 1.0 for part in (X, y))
    per = money / unit
    left, sizes, right = np.linalg.svd(X / unit, full_matrices=False)
    used = sizes > sizes.max(initial=0.0) * max(X.shape) * np.finfo(np.float64).eps
    along, sizes, right = (left.T @ (y / money))[used], sizes[used], right[used]
    squares = float(np.sum((along / sizes) ** 2))
    bound = share * squares if t is None else max(float(t) / per / per, float(np.finfo(np.float64).tiny))
    asked = bound * per * per if t is None else float(t)
    if squares <= bound:
        return right.T @ (along / sizes) * per, asked, 0.0

    def beyond(log_penalty: float) -> float:
        return float(np.log(np.sum((along * sizes / (sizes**2 + np.exp(log_penalty))) ** 2) / bound))

    # The weights are at most |X'y| / penalty, and at least those of least squares over 1 + penalty / least size².
    high = 0.5 * float(np.log(np.sum((along * sizes) ** 2) / bound)) + 1.0
    low = 2 * float(np.log(sizes.min())) + float(np.log(np.expm1(0.5 * np.log(squares / bound)))) - 1.0
    penalty = float(np.exp(brentq(beyond, low, high, xtol=1e-14, rtol=1e-14)))
    return right.T @ (along * sizes / (sizes**2 + penalty)) * per, asked, penalty * unit * unit


def _within_diamond(X: Array, y: Array, t: float | None, share: float) -> tuple[Array, float, float]:
    """Between two knots of the lasso's path weights, their sum of sizes, and lambda all change in proportion."""
    # What the library takes for nothing does not know the units of columns and target: columns are made about 1, and
    # the target far larger than the slopes at which a path is taken for ended.
    unit, money = (float(np.abs(part).max()) or 1.0 for part in (X, y))
    money *= FINE
    X, y, per = X / unit, y / money, money / unit
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        alphas, _, path = lars_path(X, y, method="lasso")
    if np.abs(X.T @ (y - X @ path[:, -1])).max() > AT_REST * np.abs(X.T @ y).max():
        weights, bound, penalty = _without_path(X, y, None if t is None else float(t) / per, share)
        return weights * per, bound * per if t is None else float(t), penalty * unit * money
    alphas, path = alphas * unit * money, path * per
    sums = np.abs(path).sum(axis=0)
    bound = share * float(sums[-1]) if t is None else float(t)
    if sums[-1] <= bound:
        return path[:, -1], bound, 0.0
    after = int(np.argmax(sums > bound))
    part = (bound - sums[after - 1]) / (sums[after] - sums[after - 1])
    weights = path[:, after - 1] + part * (path[:, after] - path[:, after - 1])
    alpha = alphas[after - 1] + part * (alphas[after] - alphas[after - 1])
    return weights, bound, 2 * len(y) * float(alpha)


def _without_path(X: Array, y: Array, t: float | None, share: float) -> tuple[Array, float, float]:
    """Where columns follow from each other, at which the library's path may stop: one bound alone, by active sets."""
    left, sizes, right = np.linalg.svd(X, full_matrices=False)
    used = sizes > sizes.max(initial=0.0) * max(X.shape) * np.finfo(np.float64).eps
    # Of all weights of least squares those of the least sum, as two parts that are not negative.
    both = np.hstack([right[used], -right[used]])
    parts = linprog(np.ones(both.shape[1]), A_eq=both, b_eq=(left.T @ y)[used] / sizes[used]).x
    least = float(parts.sum())
    bound = share * least if t is None else t
    columns = X.shape[1]
    if least <= bound:
        return parts[:columns] - parts[columns:], bound, 0.0
    heavy = np.sqrt(HEAVY * bound * np.abs(X.T @ y).max())
    rows = np.vstack([bound * np.hstack([X, -X]), np.full(2 * columns, heavy)])
    parts = nnls(rows, np.append(y, heavy))[0]
    weights = bound * (parts[:columns] - parts[columns:]) / parts.sum()
    return weights, bound, 2 * float(np.abs(X.T @ (y - X @ weights)).max())
