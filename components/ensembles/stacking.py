"""A simple model on top of different methods."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

from sklearn.ensemble import StackingClassifier, StackingRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import KFold
from sklearn.utils._param_validation import Interval

from penstock.components.ensembles.methods import CLASSIFIERS, REGRESSORS, ClassifierOfMethods, RegressorOfMethods


class MixedStackingClassifier(ClassifierOfMethods):
    """Stacking of classifiers of the catalogue: a logistic regression on their out-of-fold probabilities.

    The courses leave out that these must be predictions for other rows than the members were fitted to: else the
    members that memorise their rows are trusted most.

    Parameters
    ----------
    members : str or list, default="logistic-regression + decision-tree + gaussian-naive-bayes"
        Methods by their names in the catalogue, joined by `+`; or a list of names and of `{name: {parameter: value}}`.
    folds : int, default=5
        Number of inner folds: each row is predicted by members that were fitted to the other folds.
    random_state : int, RandomState instance or None, default=None
        Seed of the members.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    ensemble_ : StackingClassifier
        The fitted members and the logistic regression on them.

    Examples
    --------
    >>> from penstock.components.ensembles.stacking import MixedStackingClassifier
    >>> X = [[0.0], [1.0], [2.0], [8.0], [9.0], [10.0]]
    >>> model = MixedStackingClassifier("decision-tree + gaussian-naive-bayes", folds=3, random_state=0)
    >>> model.fit(X, ["low"] * 3 + ["high"] * 3).predict([[1.0], [9.0]]).tolist()
    ['low', 'high']
    """

    _named = ("members",)
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "members": [str, list],
        "folds": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, members: str | list[Any] = CLASSIFIERS, folds: int = 5, random_state: Any = None) -> None:
        self.members = members
        self.folds = folds
        self.random_state = random_state

    def _ensemble(self) -> Any:
        return StackingClassifier(self._members(self.members), LogisticRegression(max_iter=1000), cv=self.folds)


class MixedStackingRegressor(RegressorOfMethods):
    """Stacking of regressors of the catalogue: a linear model on their out-of-fold predictions.

    Parameters
    ----------
    members : str or list, default="ridge + decision-tree + k-nearest-neighbours"
        Methods by their names in the catalogue, joined by `+`; or a list of names and of `{name: {parameter: value}}`.
    folds : int, default=5
        Number of inner folds: each row is predicted by members that were fitted to the other folds.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and of the members.

    Attributes
    ----------
    ensemble_ : StackingRegressor
        The fitted members and the linear model on them.

    Examples
    --------
    >>> from penstock.components.ensembles.stacking import MixedStackingRegressor
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> model = MixedStackingRegressor("linear-regression + decision-tree", folds=3, random_state=0)
    >>> model.fit(X, [1.0, 3.0, 5.0, 7.0, 9.0, 11.0]).predict([[6.0]]).round(0).tolist()
    [13.0]
    """

    _named = ("members",)
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "members": [str, list],
        "folds": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, members: str | list[Any] = REGRESSORS, folds: int = 5, random_state: Any = None) -> None:
        self.members = members
        self.folds = folds
        self.random_state = random_state

    def _ensemble(self) -> Any:
        folds = KFold(self.folds, shuffle=True, random_state=self.random_state)
        return StackingRegressor(self._members(self.members), LinearRegression(), cv=folds)
