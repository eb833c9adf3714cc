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
    """A logistic regression on what different classifiers say of rows that they have not learnt from.

    The courses leave out that these rows must be others than the members learnt from: else the members that know their
    rows by heart are trusted most.

    Parameters
    ----------
    members : str or list
        Methods by their names in the catalogue, joined by `+`; or a list of names and of `{name: {parameter: value}}`.
    folds : int
        Inner folds: each row is judged by members that learnt from the other folds.
    random_state : int, RandomState or None
        Seed of the members.
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
    """A line through what different regressors say of rows that they have not learnt from.

    Parameters
    ----------
    members, folds
        As of `MixedStackingClassifier`.
    random_state : int, RandomState or None
        Seed of the folds and of the members.
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
