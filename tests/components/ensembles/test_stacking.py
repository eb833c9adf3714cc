"""A simple model on top of different methods."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.ensemble import StackingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict, train_test_split
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.ensembles.stacking import MixedStackingClassifier, MixedStackingRegressor

pytestmark = pytest.mark.usefixtures("one_thread")


def stacking(members: str | list[Any], **given: Any) -> Any:
    return build("stacking", {"members": members, **given}, seed=0, problem="classification")


@pytest.mark.parametrize(
    "estimator",
    [
        pytest.param(
            MixedStackingClassifier(members="logistic-regression + gaussian-naive-bayes", folds=2),
            marks=pytest.mark.slow,
        ),
        MixedStackingRegressor(members="ridge + linear-regression", folds=2),
    ],
)
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


@pytest.mark.covers("ens-stacking", "proc_stacking")
def test_the_model_on_top_learns_from_what_members_say_of_other_rows() -> None:
    X, y = make_classification(2000, 10, n_informative=4, flip_y=0.3, random_state=0)
    X, _, y, _ = train_test_split(X, y, random_state=0)
    neighbour = {"k-nearest-neighbours": {"n_neighbors": 1}}
    stacked = stacking([neighbour, "logistic-regression"]).fit(X, y).ensemble_
    assert list(stacked.named_estimators_) == ["k-nearest-neighbours 1", "logistic-regression 2"]
    assert stacked.estimators_[0].n_neighbors == 1
    known = StackingClassifier(stacked.estimators, LogisticRegression(max_iter=1000), cv="prefit")
    known.estimators = [(name, member.fit(X, y)) for name, member in known.estimators]
    by_heart, honest = (model.final_estimator_.coef_[0] for model in (known.fit(X, y), stacked))
    # Fitted on rows that they know, the neighbour is trusted above all: the signature of the leak.
    assert known.score(X, y) == 1.0
    assert by_heart == pytest.approx([8.83, 0.61], abs=0.005)
    # Ours goes the honest way.
    assert honest == pytest.approx([1.29, 2.74], abs=0.005)


@pytest.mark.covers("ens-stacking", "proc_stacking")
def test_quantities_get_a_line_through_what_members_say_of_other_rows() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y = X[:, 0] + np.sin(3 * X[:, 1]) + 5
    given = {"members": "ridge + k-nearest-neighbours", "folds": 3}
    model = build("stacking", given, seed=4, problem="regression").fit(X, y)
    members = [build(name, {}, seed=0, problem="regression") for name in ("ridge", "k-nearest-neighbours")]
    folds = KFold(3, shuffle=True, random_state=4)
    said = np.stack([cross_val_predict(member, X, y, cv=folds) for member in members], axis=1)
    line = LinearRegression().fit(said, y)
    told = np.stack([member.fit(X, y).predict(X) for member in members], axis=1)
    assert model.predict(X) == pytest.approx(line.predict(told))


@pytest.mark.slow
@pytest.mark.covers("proc_stacking")
def test_no_member_has_seen_the_row_that_it_is_asked_about() -> None:
    """Members that know a row by heart would say its label, which is a coin; the model on top learns from others."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    model = stacking("decision-tree + extra-trees", folds=4).fit(X, y)
    assert all(member.score(X, y) == 1.0 for member in model.ensemble_.estimators_)
    said = [
        cross_val_predict(member, X, y, cv=StratifiedKFold(4), method="predict_proba")[:, 1]
        for _, member in model.ensemble_.estimators
    ]
    by_hand = LogisticRegression(max_iter=1000).fit(np.stack(said, axis=1), y)
    assert model.ensemble_.final_estimator_.coef_ == pytest.approx(by_hand.coef_)
    by_heart = LogisticRegression().fit(np.stack([y, y], axis=1), y)
    assert abs(by_hand.coef_).max() < 1 < by_heart.coef_.min()
