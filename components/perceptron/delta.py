"""The delta rule: a neuron that steps against the slope of its squared error, all rows at once."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from penstock.components.centring import spread_of
from penstock.components.linear_classification.margins import MarginClassifier, one_against_rest

Array = np.ndarray[Any, Any]

# The most that half the squared error of a sigmoid neuron can curve, per squared length of a row.
SIGMOID_BEND = 0.0771
TOO_FAST = "the weights grow without end: the rate eta is too large for these columns; give a smaller one, or None"


class _DeltaRule:
    """What both neurons share: rate, number of steps, and when they end."""

    eta: float | None
    max_iter: int
    tol: float
    average: bool

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "eta": [Interval(Real, 0, None, closed="neither"), None],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "average": ["boolean"],
    }

    def _rows(self, X: Array, weight: Array) -> tuple[Array, Array, Array]:
        """Rows with a leading one, what was taken off their columns, and what these were divided by.

        Columns are taken as they are where a rate is given, and else standardised.
        """
        middle, spread = np.zeros(X.shape[1]), np.ones(X.shape[1])
        if self.eta is None:
            middle = np.average(X, axis=0, weights=weight)
            spread = np.sqrt(np.average((X - middle) ** 2, axis=0, weights=weight))
            spread = np.where(spread > np.abs(middle) * 1e-14, spread, 1.0)
        return np.column_stack([np.ones(len(X)), (X - middle) / spread]), middle, spread

    def _rate(self, gram: Array, rows: float, bend: float) -> float:
        """What eta makes of the sum over rows; by default the largest rate that is always safe."""
        if self.eta is None:
            return 1 / max(bend * float(np.linalg.eigvalsh(gram)[-1]), 1e-300)
        return self.eta / rows if self.average else self.eta

    def _ended(self, moved: Array, weights: Array, wanted: Array) -> bool:
        largest = np.abs(weights).max()
        if not np.isfinite(largest) or largest > 1e100 * max(1.0, float(np.abs(wanted).max())):
            raise ValueError(f"{type(self).__name__}: {TOO_FAST}")
        return bool(np.abs(moved).max() <= self.tol * max(1.0, float(largest)))

    def _warn(self) -> None:
        warnings.warn(
            f"{type(self).__name__} did not come to rest in {self.max_iter} steps. Scale the columns, or increase "
            "max_iter.",
            ConvergenceWarning,
            stacklevel=3,
        )


class DeltaRuleRegressor(_DeltaRule, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A linear neuron trained by the delta rule, which leads to least squares.

    A step is w += eta * mean of (t - o) x over all rows. The error is convex, so every start leads to the same weights;
    this one begins at zero. Steps are made with X'X and X't, which are worked out once: they are the same steps,
    whatever the number of rows.

    Parameters
    ----------
    eta : float or None, default=None
        The learning rate; None standardises the columns on the way, and takes 1 / the largest eigenvalue of the mean of
        xx'. At twice that and above it diverges, which is an error.
    max_iter : int, default=2000
        Maximum number of steps.
    tol : float, default=1e-07
        A step that changes no weight by more than this (or this share of the largest) is the last.
    average : bool, default=True
        Whether a step is the mean over the rows or, as in some books, their sum (eta then absorbs the 1/N).

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Weights of the columns.
    intercept_ : float
        The intercept.
    n_iter_ : int
        Number of steps.

    Examples
    --------
    >>> from penstock.components.perceptron.delta import DeltaRuleRegressor
    >>> model = DeltaRuleRegressor().fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    >>> model.coef_.round(2).tolist(), round(float(model.intercept_), 2)
    ([2.0], 1.0)
    """

    def __init__(self, eta: float | None = None, max_iter: int = 2000, tol: float = 1e-7, average: bool = True) -> None:
        self.eta = eta
        self.max_iter = max_iter
        self.tol = tol
        self.average = average

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        rows, middle, spread = self._rows(X, weight)
        # Around their means, columns say nothing of the target's mean, which may be far larger than what they say.
        level = float(np.average(y, weights=weight)) if self.eta is None else 0.0
        unit = spread_of(y - level, weight) if self.eta is None else 1.0  # a short step is one of the target's own unit
        gram, pull = (rows.T * weight) @ rows, rows.T @ (weight * ((y - level) / unit))
        rate = self._rate(gram, float(weight.sum()), 1.0)
        weights = np.zeros(rows.shape[1])
        self.n_iter_ = 0
        for _ in range(self.max_iter):
            self.n_iter_ += 1
            moved = rate * (pull - gram @ weights)
            weights = weights + moved
            if self._ended(moved, weights, y):
                break
        else:
            if self.tol > 0:
                self._warn()
        weights = weights * unit
        self.coef_ = weights[1:] / spread
        self.intercept_ = float(weights[0] + level - middle @ self.coef_)
        return self

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return X @ self.coef_ + self.intercept_  # type: ignore[no-any-return]


class DeltaRuleClassifier(_DeltaRule, MarginClassifier):
    """A sigmoid neuron trained on the squared error by the delta rule.

    A step is w += eta * mean of (t - o) o (1 - o) x over all rows. It is not logistic regression, whose step lacks o (1
    - o): the squared error is not convex, and rows that are wholly wrong have hardly any gradient. The second class is
    predicted where o >= 0.5. More than two classes have a neuron each, one against the rest; their outputs are divided
    by their sum. Initial weights are zero.

    Parameters
    ----------
    eta : float or None, default=None
        The learning rate; None standardises the columns on the way, and takes the largest rate that never overshoots.
    max_iter : int, default=1000
        Maximum number of steps.
    tol : float, default=0.0001
        A step that changes no weight by more than this (or this share of the largest) is the last.
    average : bool, default=True
        Whether a step is the mean over the rows or, as in some books, their sum (eta then absorbs the 1/N).

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    coef_, intercept_ : ndarray
        Weights and intercepts of the decision function.
    n_iter_ : int
        Number of steps.

    Examples
    --------
    >>> from penstock.components.perceptron.delta import DeltaRuleClassifier
    >>> model = DeltaRuleClassifier(eta=1.0, max_iter=5000).fit([[-2.0], [-1.0], [1.0], [2.0]], [0, 0, 1, 1])
    >>> model.predict([[-1.5], [1.5]]).tolist()
    [0, 1]
    """

    def __init__(self, eta: float | None = None, max_iter: int = 1000, tol: float = 1e-4, average: bool = True) -> None:
        self.eta = eta
        self.max_iter = max_iter
        self.tol = tol
        self.average = average

    def _likeliest_scale(self, scores: Array, codes: Array, weight: Array) -> float:
        return 1.0

    def _learn(self, X: Array, codes: Array, weight: Array) -> tuple[Array, Array]:
        wanted = (one_against_rest(codes) + 1) / 2
        rows, middle, spread = self._rows(X, weight)
        rate = self._rate((rows.T * weight) @ rows, float(weight.sum()), SIGMOID_BEND)
        weights = np.zeros((rows.shape[1], wanted.shape[1]))
        self.n_iter_ = 0
        for _ in range(self.max_iter):
            self.n_iter_ += 1
            moved = rate * rows.T @ (weight[:, None] * pulls(rows @ weights, wanted))
            weights = weights + moved
            if self._ended(moved, weights, wanted):
                break
        coef = weights[1:].T / spread
        return coef, weights[0] - coef @ middle

    def predict_proba(self, X: Any) -> Array:
        out = np.maximum(expit(self.decision_function(X)), np.finfo(np.float64).tiny)
        if out.ndim == 1:
            return np.column_stack([1 - out, out])
        return out / out.sum(axis=1, keepdims=True)  # type: ignore[no-any-return]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # a rate that never overshoots is slow on columns of many sizes
        return tags


def pulls(scores: Array, wanted: Array) -> Array:
    """(t - o) o (1 - o): minus the slope of half the squared error, in the scores."""
    out = expit(scores)
    towards: Array = (wanted - out) * out * (1 - out)
    return towards
