"""Different methods that vote, or are averaged."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.ensemble import VotingClassifier, VotingRegressor
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.ensembles.methods import (
    CLASSIFIERS,
    REGRESSORS,
    ClassifierOfMethods,
    RegressorOfMethods,
    methods_in,
)

Array = np.ndarray[Any, Any]


def _weights(text: str | None, members: str | list[Any]) -> list[float] | None:
    """`2 + 1 + 1`: one weight for each member."""
    if text is None:
        return None
    try:
        weights = [float(part) for part in text.split("+")]
    except ValueError:
        weights = []
    if len(weights) != len(methods_in(members)) or min(weights) < 0 or not sum(weights):
        raise ValueError(f"'weights' holds a number for each of {members!r}, joined by '+', not {text!r}")
    return weights


class MixedVotingClassifier(ClassifierOfMethods):
    """Voting of classifiers of the catalogue: their probabilities are averaged, or each has a vote.

    Parameters
    ----------
    members : str or list, default="logistic-regression + decision-tree + gaussian-naive-bayes"
        Methods by their names in the catalogue, joined by `+`; or a list of names and of `{name: {parameter: value}}`.
        One named several times gets several votes, each with a seed of its own.
    vote : {"mean", "majority"}, default="mean"
        Whether probabilities are averaged, or every member has one vote: the probabilities are then shares of votes.
    weights : str or None, default=None
        A weight for each member, joined by `+`.
    random_state : int, RandomState instance or None, default=None
        Seed of the first member; the others count up from it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    ensemble_ : VotingClassifier
        The fitted members.

    Examples
    --------
    >>> from penstock.components.ensembles.voting import MixedVotingClassifier
    >>> X = [[0.0], [1.0], [2.0], [8.0], [9.0], [10.0]]
    >>> members = "gaussian-naive-bayes + decision-tree + k-nearest-neighbours"
    >>> model = MixedVotingClassifier(members, vote="majority", random_state=0).fit(X, [0, 0, 0, 1, 1, 1])
    >>> model.predict([[1.0], [9.0]]).tolist()
    [0, 1]
    """

    _named = ("members",)
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "members": [str, list],
        "vote": [StrOptions({"mean", "majority"})],
        "weights": [str, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        members: str | list[Any] = CLASSIFIERS,
        vote: str = "mean",
        weights: str | None = None,
        random_state: Any = None,
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
    """Voting of regressors of the catalogue: the mean of their predictions.

    Parameters
    ----------
    members : str or list, default="ridge + decision-tree + k-nearest-neighbours"
        Methods by their names in the catalogue, joined by `+`; or a list of names and of `{name: {parameter: value}}`.
        One named several times gets several votes, each with a seed of its own.
    weights : str or None, default=None
        A weight for each member, joined by `+`.
    random_state : int, RandomState instance or None, default=None
        Seed of the first member; the others count up from it.

    Attributes
    ----------
    ensemble_ : VotingRegressor
        The fitted members.

    Examples
    --------
    >>> from penstock.components.ensembles.voting import MixedVotingRegressor
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> model = MixedVotingRegressor("linear-regression + decision-tree", weights="3 + 1", random_state=0)
    >>> model.fit(X, [0.0, 2.0, 4.0, 6.0]).predict([[5.0]]).round(2).tolist()
    [9.0]
    """

    _named = ("members",)
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "members": [str, list],
        "weights": [str, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self, members: str | list[Any] = REGRESSORS, weights: str | None = None, random_state: Any = None
    ) -> None:
        self.members = members
        self.weights = weights
        self.random_state = random_state

    def _ensemble(self) -> Any:
        return VotingRegressor(self._members(self.members), weights=_weights(self.weights, self.members))
