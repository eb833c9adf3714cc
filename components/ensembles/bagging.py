"""One method fitted on many samples of the rows, or on many choices of the columns."""

from __future__ import annotations

from abc import ABC
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.ensemble import BaggingClassifier, BaggingRegressor
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.ensembles.methods import ClassifierOfMethods, MadeOfMethods, RegressorOfMethods

Array = np.ndarray[Any, Any]


class _Bagged(MadeOfMethods, ABC):
    _named = ("base",)
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "base": [str, dict],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "bootstrap": ["boolean"],
        "max_samples": [Interval(Real, 0, 1, closed="right")],
        "max_features": [Interval(Real, 0, 1, closed="right")],
        "random_state": ["random_state"],
    }

    base: str | dict[str, Any]
    n_estimators: int
    bootstrap: bool
    max_samples: float
    max_features: float

    def _settings(self) -> dict[str, Any]:
        return {
            "n_estimators": self.n_estimators,
            "bootstrap": self.bootstrap,
            "max_samples": float(self.max_samples),
            "max_features": float(self.max_features),
            "random_state": self.random_state,
        }


class BaggedClassifier(_Bagged, ClassifierOfMethods):
    """Bagging of any classifier of the catalogue: many copies, each fitted to rows drawn with replacement.

    Without `bootstrap` and with a share of the columns it is the method of random subspaces: every copy sees all rows
    and some columns.

    Parameters
    ----------
    base : str or dict, default="decision-tree"
        The method, by its name in the catalogue, or `{name: {parameter: value}}`.
    n_estimators : int, default=50
        Number of copies.
    vote : {"mean", "majority"}, default="mean"
        Whether probabilities are averaged, or every copy has one vote; the courses do either.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement.
    max_samples : float, default=1.0
        Share of the rows that a copy is fitted to.
    max_features : float, default=1.0
        Share of the columns that a copy is fitted to.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    ensemble_ : BaggingClassifier
        The fitted copies.

    Examples
    --------
    >>> from penstock.components.ensembles.bagging import BaggedClassifier
    >>> X = [[float(row)] for row in range(20)]
    >>> model = BaggedClassifier("gaussian-naive-bayes", n_estimators=10, random_state=0)
    >>> model.fit(X, ["low"] * 10 + ["high"] * 10).predict([[1.0], [18.0]]).tolist()
    ['low', 'high']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_Bagged._parameter_constraints,
        "vote": [StrOptions({"mean", "majority"})],
    }

    def __init__(
        self,
        base: str | dict[str, Any] = "decision-tree",
        n_estimators: int = 50,
        vote: str = "mean",
        bootstrap: bool = True,
        max_samples: float = 1.0,
        max_features: float = 1.0,
        random_state: Any = None,
    ) -> None:
        self.base = base
        self.n_estimators = n_estimators
        self.vote = vote
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.max_features = max_features
        self.random_state = random_state

    def _ensemble(self) -> Any:
        return BaggingClassifier(self._built(self.base), **self._settings())

    def predict_proba(self, X: Any) -> Array:
        if self.vote == "mean":
            return super().predict_proba(X)
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        votes, rows = np.zeros((len(X), len(self.classes_))), np.arange(len(X))
        for copy, columns in zip(self.ensemble_.estimators_, self.ensemble_.estimators_features_, strict=True):
            votes[rows, copy.predict(X[:, columns]).astype(int)] += 1  # copies learn codes of classes
        return votes / len(self.ensemble_.estimators_)

    def predict(self, X: Any) -> Array:
        shares = self.predict_proba(X)
        return np.asarray(self.classes_[shares.argmax(axis=1)])


class BaggedRegressor(_Bagged, RegressorOfMethods):
    """Bagging of any regressor of the catalogue: the mean of many copies, each fitted to rows drawn with replacement.

    Parameters
    ----------
    base : str or dict, default="decision-tree"
        The method, by its name in the catalogue, or `{name: {parameter: value}}`.
    n_estimators : int, default=50
        Number of copies.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement.
    max_samples : float, default=1.0
        Share of the rows that a copy is fitted to.
    max_features : float, default=1.0
        Share of the columns that a copy is fitted to.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws.

    Attributes
    ----------
    ensemble_ : BaggingRegressor
        The fitted copies.

    Examples
    --------
    >>> from penstock.components.ensembles.bagging import BaggedRegressor
    >>> X = [[float(row)] for row in range(20)]
    >>> model = BaggedRegressor("linear-regression", n_estimators=5, random_state=0)
    >>> model.fit(X, [2.0 * row + 1 for row in range(20)]).predict([[2.5]]).round(2).tolist()
    [6.0]
    """

    def __init__(
        self,
        base: str | dict[str, Any] = "decision-tree",
        n_estimators: int = 50,
        bootstrap: bool = True,
        max_samples: float = 1.0,
        max_features: float = 1.0,
        random_state: Any = None,
    ) -> None:
        self.base = base
        self.n_estimators = n_estimators
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.max_features = max_features
        self.random_state = random_state

    def _ensemble(self) -> Any:
        return BaggingRegressor(self._built(self.base), **self._settings())
