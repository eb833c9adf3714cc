"""Least squares by the road that is asked for."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from numbers import Integral
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from scipy.linalg import lstsq, pinvh, svd
from scipy.sparse import issparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_sample_weight, check_non_negative, validate_data

from penstock.components.centring import mean_of
from penstock.components.optimisation.descent import gradient_descent
from penstock.components.optimisation.risk import Risk
from penstock.components.optimisation.trace import Stop

Array = np.ndarray[Any, Any]

MOMENTUM = 0.9
EPSILON = float(np.finfo(np.float64).eps)
# Squaring a matrix doubles the digits that its smallest directions are short of.
SQUARED = ("normal", "gd", "sgd", "newton")
CLEARLY_NEW = 1e-12


class Road(NamedTuple):
    """`weights` of standardised columns, and the steps or passes that led there."""

    weights: Array
    steps: int


class LeastSquaresRegressor(LinearRegression):  # type: ignore[misc]
    """Linear least squares by a chosen solver: w = X+ y, which is (X'X)^-1 X'y where X'X can be inverted.

    Books print that X be invertible, or b* = X'y: it is X'X, and the pseudo-inverse X+. Of one column and a constant
    the system has the sum of x², not of x, in its corner, and what is minimised is the squared norm of the errors.
    Every solver ends at the same weights; where the rows do not settle them, at the shortest.

    Parameters
    ----------
    solver : {"lstsq", "normal", "qr", "gd", "sgd", "newton"}, default="lstsq"
        - lstsq: singular values; X'X is never formed.
        - normal: the normal equations X'Xw = X'y. Quick, but columns that are nearly alike cost twice the digits: where
          less than about 1e-7 of a column is new, it cannot tell that from nothing, and a polynomial of high degree is
          not met exactly. Take lstsq or qr there.
        - qr: orthogonal columns, with pivots.
        - gd: gradient descent with momentum, for many columns.
        - sgd: a step for every row, with a memory of the others' gradients (SAGA), so that it ends at the weights and
          not near them; for many rows.
        - newton: one step from zero by the inverse curvature, which for squares is the normal equations again.

        All see columns centred and in units of their standard deviation, but for sparse ones and `positive`, which are
        scikit-learn's.
    fit_intercept : bool, default=True
        Whether to fit an intercept.
    copy_X : bool, default=True
        Whether the rows are copied before they are centred.
    max_iter : int, default=10000
        Maximum number of steps of gd, passes of sgd. Where these do not suffice, there is a ConvergenceWarning.
    tol : float, default=1e-06
        gd and sgd have converged where the gradient of standardised columns and target is shorter; of sparse columns,
        the library's own.
    n_jobs : int or None, default=None
        Number of parallel jobs, for several targets.
    positive : bool, default=False
        Whether weights must not be negative; for lstsq alone.
    random_state : int, RandomState instance or None, default=None
        Seed of the rows that sgd draws.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Weights of the columns.
    intercept_ : float
        The intercept.
    n_iter_ : int
        Steps of gd or passes of sgd; 1 of the others.

    Examples
    --------
    >>> from penstock.components.linear_regression.least_squares import LeastSquaresRegressor
    >>> model = LeastSquaresRegressor(solver="qr").fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    >>> model.coef_.round(2).tolist(), round(float(model.intercept_), 2)
    ([2.0], 1.0)
    >>> model.predict([[3.0]]).round(2).tolist()
    [7.0]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LinearRegression._parameter_constraints,
        "solver": [StrOptions({"lstsq", "normal", "qr", "gd", "sgd", "newton"})],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        solver: str = "lstsq",
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: int = 10_000,
        tol: float = 1e-6,
        n_jobs: int | None = None,
        positive: bool = False,
        random_state: Any = None,
    ) -> None:
        super().__init__(fit_intercept=fit_intercept, copy_X=copy_X, tol=tol, n_jobs=n_jobs, positive=positive)
        self.solver = solver
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        self.n_iter_ = 1
        if self.solver == "lstsq" and (self.positive or issparse(X)):
            if sample_weight is not None:
                check_non_negative(np.atleast_1d(np.asarray(sample_weight)), "`sample_weight`")
            super().fit(X, y, sample_weight)
            return self
        if self.positive:
            raise ValueError(f"positive=True is for solver='lstsq', not {self.solver!r}")
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True, multi_output=True)
        weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        targets = y.reshape(len(y), -1)
        middle, level = np.zeros(X.shape[1]), np.zeros(targets.shape[1])
        if self.fit_intercept:
            middle, level = (mean_of(part, weight) for part in (X, targets))
        root = np.sqrt(weight / weight.mean())[:, None]
        rows, wanted = root * (X - middle), root * (targets - level)
        unit, money = _spread(rows), _spread(wanted)
        rows = rows / unit
        roads = [self._road(rows, column) for column in (wanted / money).T]
        self.n_iter_ = max(road.steps for road in roads)
        weights = np.column_stack([road.weights for road in roads]) * money / unit[:, None]
        if not _settled(rows):
            least = _nothing(rows)
            weights = _shortest(rows, unit, weights, np.sqrt(least) if self.solver in SQUARED else least)
        constant = level - middle @ weights
        single = y.ndim == 1
        self.coef_ = weights[:, 0] if single else weights.T
        self.intercept_ = float(constant[0]) if single else constant
        return self

    def _road(self, X: Array, y: Array) -> Road:
        roads: dict[str, Callable[[Array, Array], Road]] = {
            "lstsq": _singular_values,
            "normal": _normal,
            "qr": _qr,
            "gd": self._descent,
            "sgd": self._stochastic,
            "newton": _newton,
        }
        return roads[self.solver](X, y)

    def _descent(self, X: Array, y: Array) -> Road:
        risk, start = Risk(X, y), np.zeros(X.shape[1])
        rate = 1 / (risk.steepest() or 1.0)
        stop = Stop(step=None, gradient=self.tol, most=self.max_iter)
        trace = gradient_descent(risk.value, risk.slope, start, rate=rate, momentum=MOMENTUM, stop=stop)
        self._tell(risk, trace.end)
        return Road(trace.end, max(trace.steps, 1))

    def _stochastic(self, X: Array, y: Array) -> Road:
        risk = Risk(X, y)
        if not X.any():
            return Road(np.zeros(X.shape[1]), 1)
        # Its own rule looks at the last pass alone, and is asked for more than it needs to be.
        model = Ridge(
            alpha=0.0, fit_intercept=False, solver="saga", tol=self.tol / 100, max_iter=self.max_iter,
            random_state=self.random_state,
        )  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X, y)
        self._tell(risk, model.coef_)
        return Road(model.coef_, int(np.max(model.n_iter_)))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.solver == "lstsq" and not self.positive
        return tags

    def _tell(self, risk: Risk, weights: Array) -> None:
        left = float(np.linalg.norm(risk.slope(weights)))
        if not left <= self.tol:
            warnings.warn(
                f"{self.solver} did not converge: a gradient of {left:.3g} is left where {self.tol:g} was asked for; "
                f"raise max_iter, or take the solver lstsq",
                ConvergenceWarning,
                stacklevel=4,
            )


def _nothing(X: Array) -> float:
    """The share of the largest singular value up to which others are rounding."""
    return float(EPSILON * max(X.shape))


def _singular_values(X: Array, y: Array) -> Road:
    return Road(lstsq(X, y, cond=_nothing(X))[0], 1)


def _normal(X: Array, y: Array) -> Road:
    return Road(pinvh(X.T @ X, rtol=_nothing(X)) @ (X.T @ y), 1)


def _qr(X: Array, y: Array) -> Road:
    return Road(lstsq(X, y, cond=_nothing(X), lapack_driver="gelsy")[0], 1)


def _newton(X: Array, y: Array) -> Road:
    risk, start = Risk(X, y), np.zeros(X.shape[1])
    return Road(-pinvh(risk.curvature(start), rtol=_nothing(X)) @ risk.slope(start), 1)


def _spread(columns: Array) -> Array:
    largest = np.abs(columns).max(axis=0)
    largest = np.where(largest > 0, largest, 1.0)
    spread = largest * np.sqrt(np.mean((columns / largest) ** 2, axis=0))
    return np.where(spread > 0, spread, 1.0)


def _settled(X: Array) -> bool:
    """Whether clearly no column follows from the others, so that one set of weights alone is best."""
    rows, columns = X.shape
    return rows > columns and bool(np.linalg.eigvalsh(X.T @ X)[0] > CLEARLY_NEW * rows)


def _shortest(scaled: Array, unit: Array, weights: Array, least: float) -> Array:
    """Without the part at right angles to every row in its own units, which fits nothing."""
    _, sizes, directions = svd(scaled, full_matrices=False)
    rank = int((sizes > least * sizes[0]).sum())
    if rank == len(unit):
        return weights
    within = np.linalg.qr(unit[:, None] * directions[:rank].T)[0]
    shortest: Array = within @ (within.T @ weights)
    return shortest
