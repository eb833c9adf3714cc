"""Samples of rows and choices of columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_classification, make_moons
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build, check_parameters, find
from penstock.components.ensembles.bagging import BaggedClassifier, BaggedRegressor
from penstock.errors import UsageError

pytestmark = pytest.mark.usefixtures("one_thread")


def bagged(name: str = "bagging", problem: str = "classification", seed: int = 0, **given: Any) -> Any:
    return build(name, given, seed=seed, problem=problem)


@pytest.mark.slow
@pytest.mark.parametrize("estimator", [BaggedClassifier(n_estimators=3), BaggedRegressor(n_estimators=3)])
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


@pytest.mark.covers("ens-bagging")
def test_the_mean_or_the_vote_of_members_that_each_see_a_sample() -> None:
    X, y = make_classification(400, 6, random_state=0)
    model = bagged(n_estimators=30).fit(X, y)
    members = model.ensemble_.estimators_
    assert np.array_equal(model.predict_proba(X), np.mean([tree.predict_proba(X) for tree in members], axis=0))
    seen = [len(np.unique(rows)) / 400 for rows in model.ensemble_.estimators_samples_]
    assert np.mean(seen) == pytest.approx(1 - (1 - 1 / 400) ** 400, abs=0.01)
    assert pytest.approx(0.632, abs=1e-3) == 1 - (1 - 1 / 400) ** 400

    voting = bagged(n_estimators=7, vote="majority", base="logistic-regression").fit(X, y)
    votes = np.stack([voter.predict(X) for voter in voting.ensemble_.estimators_])
    assert np.array_equal(voting.predict_proba(X)[:, 1], votes.mean(axis=0))
    assert np.array_equal(voting.predict(X), (votes.mean(axis=0) > 0.5).astype(int))

    regressor = bagged(problem="regression", n_estimators=5).fit(X, X[:, 0])
    mean = np.mean([tree.predict(X) for tree in regressor.ensemble_.estimators_], axis=0)
    assert np.allclose(regressor.predict(X), mean)


@pytest.mark.slow
@pytest.mark.covers("ens-bagging", "proc_bagging_forest", "cl_bagging_trees_not_svm")
def test_bagging_steadies_trees_and_leaves_svms_as_they_are() -> None:
    X, y = make_moons(3000, noise=0.3, random_state=999)
    answers: dict[str, list[Any]] = {name: [] for name in ("tree", "bagged tree", "svm", "bagged svm")}
    for seed in range(10):
        taught = make_moons(150, noise=0.3, random_state=seed)
        models = {
            "tree": build("decision-tree", {}, seed=seed, problem="classification"),
            "bagged tree": bagged(n_estimators=30, seed=seed),
            "svm": build("rbf-svm", {}, seed=seed, problem="classification"),
            "bagged svm": bagged(n_estimators=8, base="rbf-svm", seed=seed),
        }
        for name, model in models.items():
            answers[name].append(model.fit(*taught).predict(X))
    errors = {name: float(np.mean(np.stack(made) != y)) for name, made in answers.items()}
    spread = {name: float(np.stack(made).var(axis=0).mean()) for name, made in answers.items()}
    assert errors["tree"] - errors["bagged tree"] > 0.01
    assert spread["bagged tree"] < spread["tree"]
    assert abs(errors["svm"] - errors["bagged svm"]) < 0.01
    assert spread["svm"] < spread["tree"]
    assert spread["tree"] - spread["bagged tree"] > 0.02
    assert abs(spread["svm"] - spread["bagged svm"]) < 0.005


@pytest.mark.covers("proc_bagging_forest", "cl_rf_decorrelation")
def test_few_columns_at_a_split_decorrelate_the_trees_of_a_forest() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 10))
    y = 4 * X[:, 0] + X[:, 1:5].sum(axis=1) + rng.normal(size=300)
    fresh = rng.normal(size=(300, 10))

    def likeness(columns: int) -> float:
        settings = {"n_estimators": 60, "min_samples_leaf": 5, "max_features": columns}
        forest = build("random-forest", settings, seed=0, problem="regression").fit(X, y)
        found = np.corrcoef([tree.predict(fresh) for tree in forest.estimators_])
        return float(found[np.triu_indices(60, 1)].mean())

    one, three, ten = (likeness(columns) for columns in (1, 3, 10))
    assert one < three < ten
    assert one < 0.35
    assert ten > 0.7


@pytest.mark.covers("ens-random-subspace")
def test_every_member_sees_all_rows_and_some_columns() -> None:
    X, y = make_classification(200, 7, random_state=0)
    model = bagged("random-subspace", n_estimators=10, max_features=0.5).fit(X, y)
    chosen = model.ensemble_.estimators_features_
    assert [len(np.unique(columns)) for columns in chosen] == [3] * 10
    assert len({tuple(sorted(columns)) for columns in chosen}) > 1
    assert all(len(np.unique(rows)) == 200 for rows in model.ensemble_.estimators_samples_)
    voting = bagged("random-subspace", n_estimators=9, max_features=0.5, vote="majority").fit(X, y)
    copies = zip(voting.ensemble_.estimators_, voting.ensemble_.estimators_features_, strict=True)
    assert np.array_equal(voting.predict_proba(X)[:, 1], np.mean([one.predict(X[:, c]) for one, c in copies], axis=0))
    every = bagged("random-subspace", n_estimators=4, max_features=1.0, base="logistic-regression").fit(X, y)
    first, *rest = [
        member.predict_proba(X[:, c])
        for member, c in zip(every.ensemble_.estimators_, every.ensemble_.estimators_features_, strict=True)
    ]
    assert all(np.allclose(first, other, atol=1e-6) for other in rest)


def test_what_is_no_method_is_refused_before_anything_is_fitted() -> None:
    for name, given in (("bagging", {"base": "decision-tre"}), ("voting", {"members": "ridge + stacking"})):
        problem = "classification" if name == "bagging" else "regression"
        with pytest.raises(UsageError) as caught:
            check_parameters(find(name), given, problem=problem)
        assert caught.value.code == "PEN017"
    with pytest.raises(UsageError, match="did you mean 'decision-tree'"):
        check_parameters(find("bagging"), {"base": "decision-tre"}, problem="classification")
    with pytest.raises(ValueError, match="one class"):
        bagged().fit(np.eye(3), [1, 1, 1])
