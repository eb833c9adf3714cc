"""Rosenblatt's perceptron."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn import config_context
from sklearn.linear_model import Perceptron
from sklearn.utils import Tags, check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from penstock.components.linear_classification.margins import MarginClassifier, one_against_rest

Array = np.ndarray[Any, Any]

DRAWN_AT_ONCE = 4_000_000  # numbers that are copied at a time, whatever the number of passes


class PerceptronClassifier(MarginClassifier):
    """Rosenblatt's perceptron: a neuron that updates on mistakes only, and ends if a boundary without any exists.

    A row is a mistake where y w.x <= 0: a score of zero counts as one, or nothing would ever begin from weights of
    zero (with the strict sign that is sometimes printed). The second class is predicted from a score of zero on. The
    bias is the weight of a leading column of ones. More than two classes are separated one against the rest.

    Parameters
    ----------
    rule : {"passes", "draws"}, default="passes"
        "passes" goes through the rows in their order from weights of zero, until a pass without a mistake; "draws"
        begins with small random weights and updates on rows drawn at random. The bound on the number of mistakes
        holds for "passes" alone.
    eta : float, default=1.0
        The size of a step, which is eta y x, or, of "draws", eta (t - o) x = 2 eta t x. From zero it changes nothing
        but the length of the weights.
    max_iter : int, default=50
        Maximum number of passes; "draws" draws so many times the number of rows. Classes that are not linearly
        separable need a limit.
    random_state : int, RandomState instance or None, default=None
        Seed of the first weights and of the draws.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    coef_, intercept_ : ndarray
        Weights and intercepts of the decision function.
    scale_ : float
        What scores are multiplied by to be log-odds.
    n_iter_ : int
        Passes made, the last one without a mistake where the classes are linearly separable; the most of any score.
    separated_ : ndarray of bool
        Whether no training row is a mistake any more, for each score.

    Examples
    --------
    >>> from penstock.components.perceptron.rosenblatt import PerceptronClassifier
    >>> model = PerceptronClassifier().fit([[-2.0], [-1.0], [1.0], [2.0]], [0, 0, 1, 1])
    >>> model.coef_.tolist(), model.intercept_.tolist()
    ([[2.0]], [-1.0])
    >>> model.separated_.tolist()
    [True]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "rule": [StrOptions({"passes", "draws"})],
        "eta": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, rule: str = "passes", eta: float = 1.0, max_iter: int = 50, random_state: Any = None) -> None:
        self.rule = rule
        self.eta = eta
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:  # type: ignore[override]
        """Rows have no weights: what is trained on is a mistake or not."""
        return super().fit(X, y)

    def _learn(self, X: Array, codes: Array, weight: Array) -> tuple[Array, Array]:
        rows = np.column_stack([np.ones(len(X)), X])
        rng = check_random_state(self.random_state)
        learn = self._by_passes if self.rule == "passes" else self._by_draws
        found = [learn(rows, column, rng) for column in one_against_rest(codes).T]
        self.n_iter_ = max(passes for _, passes in found)
        weights = np.array([weights for weights, _ in found])
        self.separated_ = (one_against_rest(codes) * (rows @ weights.T) > 0).all(axis=0)
        return weights[:, 1:], weights[:, 0]

    def _by_passes(self, rows: Array, y: Array, rng: Any) -> tuple[Array, int]:
        given: dict[str, Any] = {"fit_intercept": False, "shuffle": False, "eta0": self.eta, "tol": None}
        whole = Perceptron(max_iter=self.max_iter, **given).fit(rows, y)
        if not (y * (rows @ whole.coef_[0]) > 0).all():
            return whole.coef_[0], self.max_iter
        # It came to rest; passes after a clean one change nothing, so that only their number is still to be found.
        machine = Perceptron(max_iter=1, **given)
        for passes in range(1, self.max_iter + 1):
            machine.partial_fit(rows, y, classes=[-1.0, 1.0])
            if (y * (rows @ machine.coef_[0]) > 0).all():
                return machine.coef_[0], min(passes + 1, self.max_iter)
        return machine.coef_[0], self.max_iter

    def _by_draws(self, rows: Array, y: Array, rng: Any) -> tuple[Array, int]:
        machine = Perceptron(fit_intercept=False, shuffle=False, eta0=2 * self.eta, random_state=0)
        left, most = self.max_iter * len(rows), max(DRAWN_AT_ONCE // rows.shape[1], 1)
        room, signs = np.empty((min(left, most), rows.shape[1])), y.astype(np.int8)
        with config_context(assume_finite=True, skip_parameter_validation=True):
            # A row of zeros teaches nothing, and makes room for the first weights.
            machine.partial_fit(np.zeros((1, rows.shape[1])), [1], classes=[-1, 1])
            machine.coef_ = rng.normal(scale=0.01, size=(1, rows.shape[1]))
            while left > 0:
                drawn = rng.randint(len(rows), size=min(left, most))
                taken = rows.take(drawn, axis=0, out=room[: len(drawn)], mode="clip")
                machine.partial_fit(taken, signs.take(drawn))
                left -= len(drawn)
        return machine.coef_[0], self.max_iter

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # where classes overlap, the last mistake has the last word
        return tags
