"""Least squares with a penalty on any power of the weights."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import Lasso, Ridge
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from penstock.components.centring import mean_of

Array = np.ndarray[Any, Any]

TINY = 1e-280  # a column of no more than this squared length never changes


class BridgeRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Bridge regression: minimises 1/2 * sum of squared errors + lam/2 * sum of |weight|^q.

    The intercept is free of the penalty. q = 2 is ridge with alpha = lam, q = 1 the lasso with alpha = lam / (2 rows),
    whose threshold is lam / 2: there scikit-learn's classes do the work. Below 1 weights are set to zero sooner and
    those that stay are shrunk less, but the function has many local minima: coordinate descent, with the exact minimum
    for each weight, goes from several starts, and the lowest end is kept. The number of columns itself, q = 0, is
    `least-squares-subset`.

    Parameters
    ----------
    q : float, default=0.5
        The power.
    lam : float, default=1.0
        Weight of the penalty.
    starts : int, default=3
        Initialisations for q below 1: the weights of ridge, zero, and then random ones.
    fit_intercept : bool, default=True
        Whether to fit an intercept, without a penalty.
    max_iter : int, default=1000
        Maximum number of passes over all weights.
    tol : float, default=1e-08
        A pass that changes no weight by more than this share of the largest is the last.
    random_state : int, RandomState instance or None, default=None
        Seed of the random initialisations.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Weights of the columns.
    intercept_ : float
        The intercept.
    objective_ : float
        The objective at the weights.
    ends_ : ndarray
        The objective where each initialisation ended.
    n_iter_ : int
        Number of passes, of all initialisations together.

    Examples
    --------
    >>> from penstock.components.linear_regression.bridge import BridgeRegressor
    >>> X = [[0.0, 1.0], [1.0, -1.0], [2.0, -1.0], [3.0, 1.0]]
    >>> model = BridgeRegressor(q=0.5, lam=0.1, random_state=0).fit(X, [0.0, 2.0, 4.0, 6.0])
    >>> model.coef_.round(1).tolist()
    [2.0, 0.0]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "q": [Interval(Real, 0, None, closed="neither")],
        "lam": [Interval(Real, 0, None, closed="left")],
        "starts": [Interval(Integral, 1, None, closed="left")],
        "fit_intercept": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        q: float = 0.5,
        lam: float = 1.0,
        starts: int = 3,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-8,
        random_state: Any = None,
    ) -> None:
        self.q = q
        self.lam = lam
        self.starts = starts
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        if self.q == 1 and self.lam > 0:
            return self._by_lasso(X, y, weight)
        middle, level = np.zeros(X.shape[1]), 0.0
        if self.fit_intercept:
            middle, level = mean_of(X, weight), float(mean_of(y, weight))
        root = np.sqrt(weight)
        centred, target = root[:, None] * (X - middle), root * (y - level)
        lost = 0.0
        columns = centred.shape[1]
        if len(centred) > columns:  # as many rows as columns say the same as all
            R: Array = np.asarray(np.linalg.qr(np.column_stack([centred, target]), mode="r"))
            centred, target, lost = R[:columns, :columns], R[:columns, columns], float(R[columns, columns] ** 2)
        self.n_iter_ = 0
        ends = [self._solve(centred, target, start) for start in self._starts(centred, target)]
        self.n_iter_ = max(self.n_iter_, 1)  # the closed forms make no sweep
        self.ends_ = np.array([lost / 2 + self._objective(centred, target, end) for end in ends])
        self.coef_ = ends[int(np.argmin(self.ends_))]
        self.objective_ = float(self.ends_.min())
        self.intercept_ = level - float(middle @ self.coef_)
        return self

    def _by_lasso(self, X: Array, y: Array, weight: Array) -> Self:
        """The library's own, where the power is one."""
        penalty = self.lam / (2 * float(weight.sum()))
        lasso = Lasso(penalty, fit_intercept=self.fit_intercept, tol=self.tol, max_iter=10 * self.max_iter)
        lasso.fit(X, y, sample_weight=None if (weight == 1).all() else weight)
        self.coef_, self.intercept_ = np.asarray(lasso.coef_), float(lasso.intercept_)
        self.n_iter_ = int(lasso.n_iter_)
        errors = weight @ (y - X @ self.coef_ - self.intercept_) ** 2
        self.objective_ = float(errors + self.lam * np.abs(self.coef_).sum()) / 2
        self.ends_ = np.array([self.objective_])
        return self

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return X @ self.coef_ + self.intercept_  # type: ignore[no-any-return]

    def _objective(self, X: Array, y: Array, weights: Array) -> float:
        return float(np.sum((y - X @ weights) ** 2) + self.lam * np.sum(np.abs(weights) ** self.q)) / 2

    def _starts(self, X: Array, y: Array) -> list[Array]:
        ridge = np.asarray(Ridge(alpha=self.lam or 1e-10, fit_intercept=False).fit(X, y).coef_)
        if self.q >= 1:
            return [ridge]
        rng = check_random_state(self.random_state)
        drawn = [ridge * rng.normal(size=len(ridge)) for _ in range(self.starts - 2)]
        return [ridge, np.zeros_like(ridge), *drawn][: self.starts]

    def _solve(self, X: Array, y: Array, start: Array) -> Array:
        if self.lam == 0:
            return np.asarray(np.linalg.lstsq(X, y, rcond=None)[0])
        if self.q == 2:
            return start
        return self._descend(X, y, start.copy())

    def _descend(self, X: Array, y: Array, weights: Array) -> Array:
        columns = np.ascontiguousarray(X.T)
        sizes = np.einsum("ij,ij->i", columns, columns)
        residual = y - X @ weights
        places = [place for place in range(len(weights)) if sizes[place] > TINY]
        weights[sizes <= TINY] = 0.0
        visited = places
        for _ in range(self.max_iter):
            self.n_iter_ += 1
            largest = 0.0
            for place in visited:
                column, size, before = columns[place], sizes[place], weights[place]
                towards = before + float(column @ residual) / size
                after = shrink(float(towards), float(self.lam / (2 * size)), self.q)
                if after != before:
                    residual += (before - after) * column
                    weights[place] = after
                    largest = max(largest, abs(after - before))
            quiet = largest <= self.tol * max(float(np.abs(weights).max()), 1e-300)
            if quiet and visited is places:
                break
            # Weights at zero are seldom moved: only when the others are at rest are they asked again.
            visited = places if quiet else [place for place in places if weights[place] != 0]
        return weights


def shrink(towards: float, penalty: float, q: float) -> float:
    """The w with the least 1/2 (w - towards)² + penalty |w|^q.

    For q below 1 it is zero up to a threshold, and jumps there. Beyond, and for q above 1, it is a root, to which
    Newton's steps lead from one side.
    """
    size = abs(towards)
    if size == 0.0:
        return 0.0
    if q == 1:
        return float(np.copysign(max(0.0, size - penalty), towards))
    w = size
    if q < 1:
        jump = (2 * penalty * (1 - q)) ** (1 / (2 - q))
        if size <= jump + penalty * q * jump ** (q - 1):
            return 0.0
    elif q < 2:
        w = math.exp(min(math.log(size / 2), math.log(size / (2 * penalty * q)) / (q - 1)))
        if w == 0.0:
            return 0.0
    elif q > 2:  # it is no larger than where the penalty alone pulls as much
        w = min(size, math.exp(math.log(size / (penalty * q)) / (q - 1))) if penalty > 0 else size
    for _ in range(100):
        pull = penalty * q * w ** (q - 1)
        step = (w - size + pull) / (1 + (q - 1) * pull / w)
        w -= step
        if abs(step) <= 1e-15 * w:
            break
    return float(np.copysign(w, towards))
