"""A linear classifier by its loss and its penalty."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, eye_array, hstack
from sklearn.linear_model import Lasso, LinearRegression, RidgeClassifier, SGDClassifier
from sklearn.svm import SVC, LinearSVC
from sklearn.utils._param_validation import Interval, StrOptions

from penstock.components.linear_classification.bridge import logistic
from penstock.components.linear_classification.margins import (
    MarginClassifier,
    one_against_rest,
    penalty_in,
    unit_of,
)

Array = np.ndarray[Any, Any]

PASSES = 10_000
PERCEPTRON_PASSES = 50


class PenalisedRiskClassifier(MarginClassifier):
    """Linear classifier of a chosen loss and penalty: minimises the sum of losses + lam * penalty of the weights.

    By default the intercept is free of the penalty. Every pair is fitted by the library's class for it, lam being
    converted into its parameter:

    | loss, of the margin m = yz | penalty | class |
    |---|---|---|
    | logistic, log(1 + exp(-m)) | l2; l1; none | LogisticRegression with C = 1 / (2 lam); 1 / lam; infinite |
    | squared, (1 - m)² | l2; l1 | RidgeClassifier with alpha = lam; Lasso with alpha = lam / (2 rows) |
    | squared | none | LinearRegression: the shortest weights, where columns follow from each other |
    | hinge, max(0, 1 - m) | l2 | SVC with C = 1 / (2 lam); without an intercept LinearSVC, which else penalises it |
    | hinge | l1, none | a linear programme (HiGHS) |
    | perceptron, max(0, -m) | none | SGDClassifier, passes in the order of the rows until none is wrong |

    The perceptron's loss is zero at weights of zero already, so a penalty would leave nothing: it is ignored, and rows
    are updated on at m <= 0, whatever they weigh. The squared loss also punishes rows that are right and far from the
    boundary, 81 for a score of 10, where the hinge gives 0 and the logistic loss 0.00005; it is not such a bad choice
    all the same. More than two classes are separated one against the rest, by the logistic loss all at once.

    Parameters
    ----------
    loss : {"logistic", "squared", "hinge", "perceptron"}, default="logistic"
        The loss of a margin.
    penalty : {"l2", "l1", "none"}, default="l2"
        The penalty of the weights.
    lam : float, default=0.5
        Weight of the penalty, against the sum of losses (not the mean).
    fit_intercept : bool, default=True
        Whether to fit an intercept.
    penalise_intercept : bool, default=False
        Whether the penalty counts the intercept too, as in books whose weights contain it.
    max_iter : int or None, default=None
        Maximum number of iterations; None is 50 for the perceptron's loss, and 10,000 for the others.
    tol : float, default=0.0001
        Tolerance of the stopping condition.
    random_state : int, RandomState instance or None, default=None
        Seed of the solvers that draw rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    coef_, intercept_ : ndarray
        Weights and intercepts of the decision function.
    scale_ : float
        What scores are multiplied by to be log-odds.
    n_iter_ : int
        Number of iterations of the library's class.

    Examples
    --------
    >>> from penstock.components.linear_classification.risk import PenalisedRiskClassifier
    >>> X = [[-2.0], [-1.0], [1.0], [2.0]]
    >>> model = PenalisedRiskClassifier(loss="squared", penalty="none").fit(X, [0, 0, 1, 1])
    >>> model.coef_.round(2).tolist()
    [[0.6]]
    >>> model.predict([[-3.0], [0.5]]).tolist()
    [0, 1]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "loss": [StrOptions({"logistic", "squared", "hinge", "perceptron"})],
        "penalty": [StrOptions({"l2", "l1", "none"})],
        "lam": [Interval(Real, 0, None, closed="left")],
        "fit_intercept": ["boolean"],
        "penalise_intercept": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left"), None],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        loss: str = "logistic",
        penalty: str = "l2",
        lam: float = 0.5,
        fit_intercept: bool = True,
        penalise_intercept: bool = False,
        max_iter: int | None = None,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.lam = lam
        self.fit_intercept = fit_intercept
        self.penalise_intercept = penalise_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _likeliest_scale(self, scores: Array, codes: Array, weight: Array) -> float:
        return 1.0 if self.loss == "logistic" else super()._likeliest_scale(scores, codes, weight)

    @property
    def _same_anywhere(self) -> bool:
        return self.loss != "perceptron"  # which goes step by step from zero

    def _learn(self, X: Array, codes: Array, weight: Array) -> tuple[Array, Array]:
        unit = unit_of(X) if self.loss != "perceptron" else 1.0
        lam = 0.0 if self.penalty == "none" else penalty_in(unit, self.lam, 1 if self.penalty == "l1" else 2)
        weights, constants = self._in_unit(X / unit, codes, weight, lam)
        return weights / unit, constants

    def _in_unit(self, X: Array, codes: Array, weight: Array, lam: float) -> tuple[Array, Array]:
        self.n_iter_ = 1
        free = lam == 0
        common: dict[str, Any] = {"fit_intercept": self.fit_intercept}
        most = self.max_iter or (PERCEPTRON_PASSES if self.loss == "perceptron" else PASSES)
        passes = {**common, "max_iter": most, "tol": self.tol, "random_state": self.random_state}
        if self.loss == "logistic":
            return self._weights(logistic("none" if free else self.penalty, lam, **passes).fit(X, codes, weight))
        if self.loss == "squared" and free:
            return self._weights(LinearRegression(**common).fit(X, one_against_rest(codes), weight))
        if self.loss == "squared" and self.penalty == "l2":
            return self._weights(RidgeClassifier(lam, **common).fit(X, codes, weight))
        if self.loss == "squared":
            lasso = Lasso(lam / (2 * weight.sum()), **common, max_iter=most, tol=self.tol)
            return _stacked([self._weights(lasso.fit(X, column, weight)) for column in one_against_rest(codes).T])
        if self.loss == "perceptron":
            return _stacked([self._perceptron(X, column, most) for column in one_against_rest(codes).T])
        if free or self.penalty == "l1":
            columns = one_against_rest(codes).T
            return _stacked([sparse_hinge(X, y, weight, lam, intercept=self.fit_intercept) for y in columns])
        return self._wide_margin(X, codes, weight, lam, passes)

    def _weights(self, model: Any) -> tuple[Array, Array]:
        made = getattr(model, "n_iter_", None)  # the closed forms make no steps
        self.n_iter_ = max(self.n_iter_, 1 if made is None else int(np.max(made)))
        weights = np.atleast_2d(model.coef_)
        return weights, np.broadcast_to(model.intercept_, len(weights)).copy()

    def _wide_margin(
        self, X: Array, codes: Array, weight: Array, lam: float, passes: dict[str, Any]
    ) -> tuple[Array, Array]:
        if not self.fit_intercept:
            return self._weights(LinearSVC(C=1 / (2 * lam), loss="hinge", **passes).fit(X, codes, weight))
        steps = min(passes["max_iter"] * len(X), np.iinfo(np.int32).max)  # of a row or two each
        machine = SVC(kernel="linear", C=1 / (2 * lam), tol=self.tol, max_iter=steps)
        return _stacked([self._weights(machine.fit(X, column, weight)) for column in one_against_rest(codes).T])

    def _perceptron(self, X: Array, signs: Array, most: int) -> tuple[Array, Array]:
        machine = SGDClassifier(
            loss="perceptron", penalty=None, learning_rate="constant", eta0=1.0, shuffle=False,
            fit_intercept=self.fit_intercept,
        )  # fmt: skip
        passes, wrong = 0, True
        while wrong and passes < most:
            machine.partial_fit(X, signs, classes=[-1, 1])
            wrong, passes = bool((signs * machine.decision_function(X) <= 0).any()), passes + 1
        self.n_iter_ = max(self.n_iter_, passes)
        return np.atleast_2d(machine.coef_), np.atleast_1d(machine.intercept_)


def _stacked(fitted: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    return np.vstack([weights for weights, _ in fitted]), np.concatenate([constant for _, constant in fitted])


def sparse_hinge(X: Array, y: Array, weight: Array, lam: float, *, intercept: bool) -> tuple[Array, Array]:
    """Weights with the least sum of hinge losses + lam * sizes, as a linear programme.

    Each weight is the difference of two that are not negative, each loss a variable of its own. Columns are taken in
    units of their own: what is small beside others the solver takes for nothing.
    """
    rows, columns = X.shape
    largest = np.abs(X).max(axis=0)
    units = np.where(largest > 0, largest, 1.0)
    dear = max(lam, float(weight.max()))  # the programme is the same in any unit of cost, and its solver is used to 1
    lam, weight = lam / dear, weight / dear
    signed = csr_array(y[:, None] * (X / units))
    constant = csr_array(y[:, None] if intercept else np.zeros((rows, 1)))
    cost = np.concatenate([lam / units, lam / units, [0.0], weight])
    bounds = [(0, None)] * (2 * columns) + [(None, None)] + [(0, None)] * rows
    found = linprog(
        cost, A_ub=-hstack([signed, -signed, constant, eye_array(rows)]), b_ub=-np.ones(rows), bounds=bounds
    )
    weights = (found.x[:columns] - found.x[columns : 2 * columns]) / units
    return weights[None], found.x[2 * columns : 2 * columns + 1]
