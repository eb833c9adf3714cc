"""Logistic regression with a penalty on any power of the weights."""

from __future__ import annotations

from itertools import combinations
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.utils._param_validation import Interval

from penstock.components.linear_classification.margins import MarginClassifier, penalty_in, unit_of

Array = np.ndarray[Any, Any]

FEW_WEIGHTS = 300  # up to so many a step by their curvature costs less than the steps it saves
MAX_STEPS = 50
MIN_WEIGHT = 1e-10
MIN_BEND = 0.65
SPARE = 1e-9


class BridgeClassifier(MarginClassifier):
    """Bridge logistic regression: minimises the sum of logistic losses + lam * sum of |weight|^q.

    By default the intercept is free of the penalty. The loss is log(1 + exp(-yg)), with a plus before the logarithm:
    with the minus that is printed in places it would have no least value. q = 2 is scikit-learn's logistic regression
    with C = 1 / (2 lam), q = 1 with C = 1 / lam and l1_ratio = 1; other powers are found by Newton's steps from the
    weights of q = 2, and by L-BFGS where these do not suffice or the weights are many.

    Parameters
    ----------
    q : float, default=1.5
        The power, at least 1; below, the function has many local minima.
    lam : float, default=0.5
        Weight of the penalty; above zero, since without it weights grow without end on separable rows.
    fit_intercept : bool, default=True
        Whether to fit an intercept.
    penalise_intercept : bool, default=False
        Whether the penalty counts the intercept too, as in books whose weights contain it.
    max_iter : int, default=10000
        Maximum number of iterations.
    tol : float, default=1e-08
        Iterations end where the gradient of the mean loss is smaller than this.
    random_state : int, RandomState instance or None, default=None
        Seed of the solver for q = 1.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    coef_, intercept_ : ndarray
        Weights and intercepts of the decision function.
    scale_ : float
        What scores are multiplied by to be log-odds.
    n_iter_ : int
        Number of iterations.

    Examples
    --------
    >>> from penstock.components.linear_classification.bridge import BridgeClassifier
    >>> model = BridgeClassifier(q=2.0, lam=0.5).fit([[-2.0], [-1.0], [1.0], [2.0]], [0, 0, 1, 1])
    >>> model.coef_.round(2).tolist()
    [[1.01]]
    >>> model.predict_proba([[1.5]]).round(2).tolist()
    [[0.18, 0.82]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "q": [Interval(Real, 1, None, closed="left")],
        "lam": [Interval(Real, 0, None, closed="neither")],
        "fit_intercept": ["boolean"],
        "penalise_intercept": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        q: float = 1.5,
        lam: float = 0.5,
        fit_intercept: bool = True,
        penalise_intercept: bool = False,
        max_iter: int = 10_000,
        tol: float = 1e-8,
        random_state: Any = None,
    ) -> None:
        self.q = q
        self.lam = lam
        self.fit_intercept = fit_intercept
        self.penalise_intercept = penalise_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _likeliest_scale(self, scores: Array, codes: Array, weight: Array) -> float:
        return 1.0

    @property
    def _same_anywhere(self) -> bool:
        return True

    def _learn(self, X: Array, codes: Array, weight: Array) -> tuple[Array, Array]:
        unit = unit_of(X)
        weights, constants = self._in_unit(X / unit, codes, weight, penalty_in(unit, self.lam, self.q))
        return weights / unit, constants

    def _in_unit(self, X: Array, codes: Array, weight: Array, lam: float) -> tuple[Array, Array]:
        if self.q in (1, 2):
            model = logistic(
                f"l{int(self.q)}",
                lam,
                fit_intercept=self.fit_intercept,
                tol=self.tol,
                max_iter=self.max_iter,
                random_state=self.random_state,
            ).fit(X, codes, weight)
            self.n_iter_ = int(np.max(model.n_iter_))
            return model.coef_, model.intercept_
        return self._by_slope(X, codes, weight, lam)

    def _by_slope(self, X: Array, codes: Array, weight: Array, lam: float) -> tuple[Array, Array]:
        risk = _Risk(X if not self.fit_intercept else np.column_stack([X, np.ones(len(X))]), codes, weight, lam, self)
        start, steps = np.zeros(risk.lines * risk.rows.shape[1]), 0
        if start.size <= FEW_WEIGHTS:
            first = logistic("l2", lam, fit_intercept=self.fit_intercept, max_iter=self.max_iter)
            first.fit(X, codes, weight)
            theta = np.column_stack([first.coef_, first.intercept_]) if self.fit_intercept else first.coef_
            start, steps = _newton(risk, theta.ravel(), self.tol)
        options = {"maxiter": self.max_iter, "maxfun": 10 * self.max_iter, "gtol": self.tol, "ftol": 1e-15}
        found = minimize(risk.value_and_slope, start, jac=True, method="L-BFGS-B", options=options)
        self.n_iter_, theta = max(steps + int(found.nit), 1), found.x.reshape(risk.lines, -1)
        if not self.fit_intercept:
            return theta, np.zeros(risk.lines)
        constants = theta[:, -1]  # of several classes any number could be added to all of them
        return theta[:, :-1], constants - constants.mean() if risk.lines > 1 else constants


class _Risk:
    """The mean of the losses and the penalty over the rows, of all weights in one row of numbers."""

    def __init__(self, rows: Array, codes: Array, weight: Array, lam: float, asked: BridgeClassifier) -> None:
        self.rows, self.weight, self.q = rows, weight, asked.q
        self.lines = 1 if codes.max() == 1 else int(codes.max()) + 1
        self.truth = codes[:, None] == (np.arange(self.lines) if self.lines > 1 else 1)
        self.lam = np.full(rows.shape[1], lam)
        if asked.fit_intercept:
            self.lam[-1] = 0.0
        self.total = weight.sum()

    def _chances(self, theta: Array) -> tuple[Array, Array]:
        """Of each line, and the losses of the rows."""
        scores = self.rows @ theta.T
        if self.lines == 1:
            return expit(scores), np.logaddexp(0.0, np.where(self.truth, -scores, scores))[:, 0]
        scores -= scores.max(axis=1, keepdims=True)
        sizes = np.exp(scores)
        sums = sizes.sum(axis=1, keepdims=True)
        return sizes / sums, np.log(sums[:, 0]) - scores[self.truth]

    def value_and_slope(self, flat: Array) -> tuple[float, Array]:
        theta = flat.reshape(self.lines, -1)
        proba, losses = self._chances(theta)
        size = np.abs(theta)
        value = self.weight @ losses + np.sum(self.lam * size**self.q)
        pulls = (proba - self.truth) * self.weight[:, None]
        steep = pulls.T @ self.rows + self.lam * self.q * size ** (self.q - 1) * np.sign(theta)
        return float(value / self.total), (steep / self.total).ravel()

    def curvature(self, flat: Array) -> Array:
        """Of small powers the penalty's is taken as larger than it is, lest steps swing around zero."""
        theta = flat.reshape(self.lines, -1)
        proba, _ = self._chances(theta)
        columns = self.rows.shape[1]
        bend = np.zeros((self.lines, columns, self.lines, columns))
        if self.lines == 1:
            bend[0, :, 0] = self._between(proba[:, 0], 1 - proba[:, 0])
        for one, other in combinations(range(self.lines), 2):
            both = self._between(proba[:, one], proba[:, other])
            bend[one, :, other] = bend[other, :, one] = -both
            bend[one, :, one] += both
            bend[other, :, other] += both
        bend = bend.reshape(flat.size, flat.size)
        size = np.maximum(np.abs(theta), MIN_WEIGHT)
        own = (self.lam * self.q * max(self.q - 1, MIN_BEND) * size ** (self.q - 2)).ravel()
        # Nothing but a little to spare bends where all constants grow alike, which changes no chance.
        bend[np.diag_indices(flat.size)] += own + SPARE * bend.diagonal().max()
        return np.asarray(bend / self.total)

    def _between(self, one: Array, other: Array) -> Array:
        """How the loss bends where probabilities go from one class to the other; p (1 - p) is a sum of such pairs."""
        pulled = self.rows * np.sqrt(self.weight * one * other)[:, None]
        return np.asarray(pulled.T @ pulled)  # a matrix by itself: half of the work


def _newton(risk: _Risk, at: Array, close: float) -> tuple[Array, int]:
    """Newton's steps, halved until they lead down; where they end, L-BFGS goes on if there is a way left."""
    value, slope = risk.value_and_slope(at)
    for steps in range(MAX_STEPS):
        if np.abs(slope).max() <= close:
            return at, steps
        step = -np.linalg.solve(risk.curvature(at), slope)
        share, (there, steep) = 1.0, risk.value_and_slope(at + step)
        while not there < value and share > SPARE:
            share /= 2
            there, steep = risk.value_and_slope(at + share * step)
        if not there < value:
            return at, steps
        at, value, slope = at + share * step, there, steep
    return at, MAX_STEPS


def logistic(penalty: str, lam: float, **given: Any) -> LogisticRegression:
    """scikit-learn's class for the sum of logistic losses + lam * (sizes, or squares, of the weights)."""
    if penalty == "none" or lam == 0:
        return LogisticRegression(C=np.inf, **given)
    if penalty == "l1":
        return LogisticRegression(C=1 / lam, l1_ratio=1, solver="saga", **given)
    return LogisticRegression(C=1 / (2 * lam), **given)
