"""Logistic regression with a penalty on any power of the weights."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.utils._param_validation import Interval

from penstock.components.linear_classification.margins import MarginClassifier

Array = np.ndarray[Any, Any]


class BridgeClassifier(MarginClassifier):
    """Minimises the sum of logistic losses + lam * sum of |weight|^q; the intercept is free.

    The loss is log(1 + exp(-yg)), with a plus before the logarithm: with the minus that is printed in places it would
    have no least value. q = 2 is scikit-learn's logistic regression with C = 1 / (2 lam), q = 1 with C = 1 / lam and
    l1_ratio = 1; other powers are found by L-BFGS. To put the constant under the penalty as well, as some books do,
    say `fit_intercept: false` and bring a column of ones.

    Parameters
    ----------
    q : float
        The power, at least 1; below, the function has many low points.
    lam : float
        What the penalty counts; above zero, since without it weights grow without end on separable rows.
    fit_intercept : bool
        Whether to add a constant without a penalty.
    max_iter : int
        The most steps.
    tol : float
        Where the gradient of the mean is smaller than this, it ends.
    random_state : int, RandomState or None
        Seed of the solver for q = 1.

    Attributes
    ----------
    coef_, intercept_, classes_, scale_ : as of every linear classifier
    n_iter_ : int
        Steps made.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "q": [Interval(Real, 1, None, closed="left")],
        "lam": [Interval(Real, 0, None, closed="neither")],
        "fit_intercept": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        q: float = 1.5,
        lam: float = 0.5,
        fit_intercept: bool = True,
        max_iter: int = 10_000,
        tol: float = 1e-8,
        random_state: Any = None,
    ) -> None:
        self.q = q
        self.lam = lam
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _likeliest_scale(self, scores: Array, codes: Array, weight: Array) -> float:
        return 1.0

    def _learn(self, X: Array, codes: Array, weight: Array) -> tuple[Array, Array]:
        if self.q in (1, 2):
            model = logistic(
                f"l{int(self.q)}",
                self.lam,
                fit_intercept=self.fit_intercept,
                tol=self.tol,
                max_iter=self.max_iter,
                random_state=self.random_state,
            ).fit(X, codes, weight)
            self.n_iter_ = int(np.max(model.n_iter_))
            return model.coef_, model.intercept_
        return self._by_slope(X, codes, weight)

    def _by_slope(self, X: Array, codes: Array, weight: Array) -> tuple[Array, Array]:
        lines = 1 if codes.max() == 1 else int(codes.max()) + 1
        total = weight.sum()
        truth = codes[:, None] == np.arange(lines) if lines > 1 else codes[:, None] == 1

        def risk(flat: Array) -> tuple[float, Array]:
            theta = flat.reshape(lines, -1)
            w = theta[:, : X.shape[1]]
            scores = X @ w.T + (theta[:, -1] if self.fit_intercept else 0.0)
            if lines == 1:
                losses = np.logaddexp(0.0, np.where(truth, -scores, scores))[:, 0]
                pulls = expit(scores) - truth
            else:
                scores -= scores.max(axis=1, keepdims=True)
                sizes = np.exp(scores)
                sums = sizes.sum(axis=1, keepdims=True)
                losses = np.log(sums[:, 0]) - scores[truth]
                pulls = sizes / sums - truth
            pulls = pulls * weight[:, None]
            steep = pulls.T @ X + self.lam * self.q * np.abs(w) ** (self.q - 1) * np.sign(w)
            if self.fit_intercept:
                steep = np.column_stack([steep, pulls.sum(axis=0)])
            value = weight @ losses + self.lam * np.sum(np.abs(w) ** self.q)
            return float(value / total), (steep / total).ravel()

        start = np.zeros(lines * (X.shape[1] + self.fit_intercept))
        options = {"maxiter": self.max_iter, "maxfun": 10 * self.max_iter, "gtol": self.tol, "ftol": 1e-15}
        found = minimize(risk, start, jac=True, method="L-BFGS-B", options=options)
        self.n_iter_, theta = max(int(found.nit), 1), found.x.reshape(lines, -1)
        if self.fit_intercept:
            return theta[:, :-1], theta[:, -1]
        return theta, np.zeros(lines)


def logistic(penalty: str, lam: float, **given: Any) -> LogisticRegression:
    """scikit-learn's class for the sum of logistic losses + lam * (sizes, or squares, of the weights)."""
    if penalty == "none" or lam == 0:
        return LogisticRegression(C=np.inf, **given)
    if penalty == "l1":
        return LogisticRegression(C=1 / lam, l1_ratio=1, solver="saga", **given)
    return LogisticRegression(C=1 / (2 * lam), **given)
