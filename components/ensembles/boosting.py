"""AdaBoost over trees of a given depth."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor
from sklearn.ensemble._base import BaseEnsemble
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils._param_validation import Interval


def _constraints(kind: Any) -> dict[str, list[Any]]:
    own = {"max_depth": [Interval(Integral, 1, None, closed="left")]}
    return {name: known for name, known in kind._parameter_constraints.items() if name != "estimator"} | own


class BoostedTreesClassifier(AdaBoostClassifier):  # type: ignore[misc]
    """scikit-learn's AdaBoost, whose trees may be deeper than a stump.

    Every row weighs D_1 = 1/n at first. After a round in which rows that weigh e are wrong, D_{t+1} is D_t exp(-alpha y
    h), normalised to a sum of one, with alpha = ln((1 - e) / e) / 2; the notes leave out D_1, this rule, and that e is
    the probability of h(x) != y. The library's `estimator_weights_` are twice alpha, which predicts the same. It ends
    after `n_estimators` rounds, or when a tree makes no mistake or is no better than chance; where the first tree is
    not, it predicts alone.

    Parameters
    ----------
    max_depth : int, default=1
        Maximum depth of the trees; 1 is a stump.
    n_estimators : int, default=50
        Maximum number of rounds.
    learning_rate : float, default=1.0
        What the weight of every tree is multiplied by.
    random_state : int, RandomState instance or None, default=None
        Seed of the trees.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    estimators_ : list of DecisionTreeClassifier
        The fitted trees.
    estimator_weights_ : ndarray of float
        Weight of each tree.
    estimator_errors_ : ndarray of float
        Weighted error of each tree.

    Examples
    --------
    >>> from penstock.components.ensembles.boosting import BoostedTreesClassifier
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> model = BoostedTreesClassifier(n_estimators=5, random_state=0).fit(X, ["a", "b", "b", "a"])
    >>> model.predict(X).tolist()
    ['a', 'b', 'b', 'a']
    >>> round(float(model.estimator_errors_[0]), 2)
    0.25
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = _constraints(AdaBoostClassifier)

    def __init__(
        self, max_depth: int = 1, *, n_estimators: int = 50, learning_rate: float = 1.0, random_state: Any = None
    ) -> None:
        super().__init__(n_estimators=n_estimators, learning_rate=learning_rate, random_state=random_state)
        self.max_depth = max_depth

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        try:
            with np.errstate(divide="ignore"):  # of rows that weigh nothing, the logarithm of whose weight is taken
                super().fit(X, y, sample_weight)
        except ValueError as error:
            if "worse than random" not in str(error):
                raise
            tree = DecisionTreeClassifier(max_depth=self.max_depth, random_state=self.random_state)
            self.estimators_ = [tree.fit(X, y, sample_weight)]
            self.estimator_weights_ = np.ones(1)
            self.estimator_errors_ = np.array([1 - tree.score(X, y, sample_weight)])
        return self

    def _validate_estimator(self) -> None:
        BaseEnsemble._validate_estimator(self, default=DecisionTreeClassifier(max_depth=self.max_depth))


class BoostedTreesRegressor(AdaBoostRegressor):  # type: ignore[misc]
    """scikit-learn's AdaBoost for regression, with the depth of its trees.

    Parameters
    ----------
    max_depth : int, default=3
        Maximum depth of the trees; 1 is a stump.
    n_estimators : int, default=50
        Maximum number of rounds.
    learning_rate : float, default=1.0
        What the weight of every tree is multiplied by.
    loss : {"linear", "square", "exponential"}, default="linear"
        How a row's error changes its weight.
    random_state : int, RandomState instance or None, default=None
        Seed of the trees and of the rows that are drawn for them.

    Attributes
    ----------
    estimators_ : list of DecisionTreeRegressor
        The fitted trees.
    estimator_weights_ : ndarray of float
        Weight of each tree.

    Examples
    --------
    >>> from penstock.components.ensembles.boosting import BoostedTreesRegressor
    >>> X = [[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]]
    >>> model = BoostedTreesRegressor(n_estimators=20, random_state=0).fit(X, [1.0, 1.0, 1.0, 5.0, 5.0, 5.0])
    >>> model.predict([[1.0], [8.0]]).tolist()
    [1.0, 5.0]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = _constraints(AdaBoostRegressor)

    def __init__(
        self,
        max_depth: int = 3,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        loss: str = "linear",
        random_state: Any = None,
    ) -> None:
        super().__init__(n_estimators=n_estimators, learning_rate=learning_rate, loss=loss, random_state=random_state)
        self.max_depth = max_depth

    def _validate_estimator(self) -> None:
        BaseEnsemble._validate_estimator(self, default=DecisionTreeRegressor(max_depth=self.max_depth))
