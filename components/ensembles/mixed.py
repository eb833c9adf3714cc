"""Different methods together: by vote, or by a simple model on top of them."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.ensemble import StackingClassifier, StackingRegressor, VotingClassifier, VotingRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import KFold
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.ensembles.methods import ClassifierOfMethods, RegressorOfMethods, names_in

Array = np.ndarray[Any, Any]
CLASSIFIERS = "logistic-regression + decision-tree + gaussian-naive-bayes"
REGRESSORS = "ridge + decision-tree + k-nearest-neighbours"


def _weights(text: str | None, members: str) -> list[float] | None:
    """`2 + 1 + 1`: one weight for each member."""
    if text is None:
        return None
    try:
        weights = [float(part) for part in text.split("+")]
    except ValueError:
        weights = []
    if len(weights) != len(names_in(members)) or min(weights) < 0 or not sum(weights):
        raise ValueError(f"'weights' holds a number for each of '{members}', joined by '+', not {text!r}")
    return weights


class MixedVotingClassifier(ClassifierOfMethods):
    """Different classifiers that vote, or whose probabilities are averaged.

    Parameters
    ----------
    members : str
        Methods by their names in the catalogue, joined by `+`; one named several times gets several votes, each with a
        seed of its own.
    vote : "mean" or "majority"
        Whether probabilities are averaged, or every member has one vote: the probabilities are then shares of votes.
    weights : str or None
        A number for each member, joined by `+`.
    random_state : int, RandomState or None
        Seed of the first member; the others count up from it.
    """

    _named = ("members",)
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "members": [str],
        "vote": [StrOptions({"mean", "majority"})],
        "weights": [str, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self, members: str = CLASSIFIERS, vote: str = "mean", weights: str | None = None, random_state: Any = None
    ) -> None:
        self.members = members
        self.vote = vote
        self.weights = weights
        self.random_state = random_state

    def _ensemble(self) -> Any:
        kind = "soft" if self.vote == "mean" else "hard"
        return VotingClassifier(self._members(self.members), voting=kind, weights=_weights(self.weights, self.members))

    def predict_proba(self, X: Any) -> Array:
        if self.vote == "mean":
            return super().predict_proba(X)
        check_is_fitted(self)
        votes = np.asarray(self.ensemble_.transform(validate_data(self, X, dtype=np.float64, reset=False)))
        weights = _weights(self.weights, self.members) or [1.0] * votes.shape[1]
        counted = (votes[:, :, None] == np.arange(len(self.classes_))) * np.array(weights)[None, :, None]
        shares: Array = counted.sum(axis=1) / sum(weights)
        return shares


class MixedVotingRegressor(RegressorOfMethods):
    """The mean of different regressors.

    Parameters
    ----------
    members, weights, random_state
        As of `MixedVotingClassifier`.
    """

    _named = ("members",)
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "members": [str],
        "weights": [str, None],
        "random_state": ["random_state"],
    }

    def __init__(self, members: str = REGRESSORS, weights: str | None = None, random_state: Any = None) -> None:
        self.members = members
        self.weights = weights
        self.random_state = random_state

    def _ensemble(self) -> Any:
        return VotingRegressor(self._members(self.members), weights=_weights(self.weights, self.members))


class MixedStackingClassifier(ClassifierOfMethods):
    """A logistic regression on what different classifiers say of rows that they have not learnt from.

    The courses leave out that these rows must be others than the members learnt from: else the members that know their
    rows by heart are trusted most.

    Parameters
    ----------
    members : str
        Methods by their names in the catalogue, joined by `+`.
    folds : int
        Inner folds: each row is judged by members that learnt from the other folds.
    random_state : int, RandomState or None
        Seed of the members.
    """

    _named = ("members",)
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "members": [str],
        "folds": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, members: str = CLASSIFIERS, folds: int = 5, random_state: Any = None) -> None:
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
        "members": [str],
        "folds": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, members: str = REGRESSORS, folds: int = 5, random_state: Any = None) -> None:
        self.members = members
        self.folds = folds
        self.random_state = random_state

    def _ensemble(self) -> Any:
        folds = KFold(self.folds, shuffle=True, random_state=self.random_state)
        return StackingRegressor(self._members(self.members), LinearRegression(), cv=folds)
