"""Ensembles of the catalogue's methods against scikit-learn's of the same models."""

from __future__ import annotations

from typing import Any

from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import numbers, two_classes
from penstock.components.ensembles.bagging import BaggedClassifier, BaggedRegressor
from penstock.components.ensembles.boosting import BoostedTreesClassifier, BoostedTreesRegressor
from penstock.components.ensembles.methods import CLASSIFIERS, REGRESSORS
from penstock.components.ensembles.stacking import MixedStackingClassifier, MixedStackingRegressor
from penstock.components.ensembles.voting import MixedVotingClassifier, MixedVotingRegressor


def _members() -> list[tuple[str, Any]]:
    """The models that `CLASSIFIERS` names."""
    return [("one", LogisticRegression()), ("two", DecisionTreeClassifier(random_state=0)), ("three", GaussianNB())]


def _of_values() -> list[tuple[str, Any]]:
    """The models that `REGRESSORS` names."""
    return [("one", Ridge()), ("two", DecisionTreeRegressor(random_state=0)), ("three", KNeighborsRegressor())]


PAIRS = (
    Pair(
        "ada-boost",
        lambda: BoostedTreesClassifier(max_depth=2, n_estimators=20, random_state=0),
        lambda: AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=20, random_state=0),
        two_classes,
    ),
    Pair(
        "ada-boost, values",
        lambda: BoostedTreesRegressor(n_estimators=20, random_state=0),
        lambda: AdaBoostRegressor(n_estimators=20, random_state=0),
        numbers,
    ),
    Pair(
        "bagging",
        lambda: BaggedClassifier(n_estimators=10, random_state=0),
        lambda: BaggingClassifier(DecisionTreeClassifier(), 10, random_state=0),
        two_classes,
    ),
    Pair(
        "bagging, majority",
        lambda: BaggedClassifier(n_estimators=10, vote="majority", random_state=0),
        lambda: BaggingClassifier(DecisionTreeClassifier(), 10, random_state=0),
        two_classes,
    ),
    Pair(
        "random-subspace, values",
        lambda: BaggedRegressor(n_estimators=10, bootstrap=False, max_features=0.5, random_state=0),
        lambda: BaggingRegressor(DecisionTreeRegressor(), 10, bootstrap=False, max_features=0.5, random_state=0),
        numbers,
    ),
    Pair(
        "voting",
        lambda: MixedVotingClassifier(CLASSIFIERS, random_state=0),
        lambda: VotingClassifier(_members(), voting="soft"),
        two_classes,
    ),
    Pair(
        "stacking",
        lambda: MixedStackingClassifier(CLASSIFIERS, folds=3, random_state=0),
        lambda: StackingClassifier(_members(), LogisticRegression(), cv=3),
        two_classes,
    ),
    Pair(
        "voting, values",
        lambda: MixedVotingRegressor(REGRESSORS, random_state=0),
        lambda: VotingRegressor(_of_values()),
        numbers,
    ),
    Pair(
        "stacking, values",
        lambda: MixedStackingRegressor(REGRESSORS, folds=3, random_state=0),
        lambda: StackingRegressor(_of_values(), LinearRegression(), cv=3),
        numbers,
    ),
)
