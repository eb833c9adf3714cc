from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_hastie_10_2
from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build, check_parameters, find
from penstock.components.ensembles.boosting import BoostedTreesClassifier, BoostedTreesRegressor
from penstock.errors import UsageError


def boosted(X: Any, y: Any, **given: Any) -> Any:
    return build("ada-boost", given, seed=0, problem="classification").fit(X, y)


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator", [BoostedTreesClassifier(2, n_estimators=5), BoostedTreesRegressor(n_estimators=5)]
)
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


@pytest.mark.covers("ens-adaboost")
def test_the_depth_of_its_trees_is_a_parameter() -> None:
    X, y = hastie(200, 0)
    for depth in (1, 3):
        ours = boosted(X, y, n_estimators=5, max_depth=depth)
        assert {tree.get_depth() for tree in ours.estimators_} == {depth}
        theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=depth), n_estimators=5, random_state=0).fit(X, y)
        assert np.array_equal(ours.predict_proba(X), theirs.predict_proba(X))
        values = build("ada-boost", {"n_estimators": 5, "max_depth": depth}, seed=0, problem="regression")
        known = AdaBoostRegressor(DecisionTreeRegressor(max_depth=depth), n_estimators=5, random_state=0)
        assert np.array_equal(values.fit(X, X[:, 0]).predict(X), known.fit(X, X[:, 0]).predict(X))
    assert {tree.get_depth() for tree in boosted(X, y, n_estimators=3).estimators_} == {1}
    with pytest.raises(UsageError, match="'max_depth' parameter") as caught:
        check_parameters(find("ada-boost"), {"max_depth": 0}, problem="classification")
    assert caught.value.code == "PEN017"


@pytest.mark.covers("ens-adaboost", "proc_boosting_loop", "met_adaboost_weights")
def test_three_rounds_by_hand() -> None:
    x = np.arange(10.0)[:, None]
    y = np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])
    model = boosted(x, y, n_estimators=3)
    errors, alphas = np.array([0.3, 0.214286, 0.181818]), np.array([0.423649, 0.649641, 0.752039])
    assert model.estimator_errors_ == pytest.approx(errors, abs=1e-6)
    assert model.estimator_weights_ / 2 == pytest.approx(alphas, abs=1e-6)
    assert [np.mean(stage != y) for stage in model.staged_predict(x)][-1] == 0.0

    weights = np.full(10, 0.1)
    for stump, error, alpha in zip(
        model.estimators_, model.estimator_errors_, model.estimator_weights_ / 2, strict=True
    ):
        answer = stump.predict(x)
        assert weights @ (answer != y) == pytest.approx(error)
        weights = weights * np.exp(-alpha * y * answer)
        assert weights.sum() == pytest.approx(2 * np.sqrt(error * (1 - error)))
        weights /= weights.sum()
        assert weights @ (answer != y) == pytest.approx(0.5)


@pytest.mark.covers("proc_boosting_loop", "ex_adaboost_round", "met_adaboost_weights")
def test_one_round_of_the_course() -> None:
    x = np.array([0.0, 1, 4, 2, 3, 5])[:, None]  # the third row lies among those of the other class
    y = np.array([1, 1, 1, -1, -1, -1])
    model = boosted(x, y, n_estimators=1)
    answer = model.estimators_[0].predict(x)
    assert answer.tolist() == [1, 1, -1, -1, -1, -1]
    assert model.estimator_errors_[0] == pytest.approx(1 / 6)
    alpha = model.estimator_weights_[0] / 2
    assert alpha == pytest.approx(0.804718956217, abs=1e-9)
    weights = np.full(6, 1 / 6) * np.exp(-alpha * y * answer)
    assert weights.sum() == pytest.approx(0.7453559925, abs=1e-9)
    assert weights / weights.sum() == pytest.approx([0.1, 0.1, 0.5, 0.1, 0.1, 0.1])
    for error, weight in ((0.3, 0.423648930194), (0.1, 1.09861228867), (0.01, 2.29755992507)):
        first = boosted(*_wrong_about(error), n_estimators=1)
        assert first.estimator_errors_[0] == pytest.approx(error)
        assert first.estimator_weights_[0] / 2 == pytest.approx(weight, abs=1e-9)
    # One that is wrong as often as right leaves nothing to go on from, and answers alone.
    alone = boosted(*_wrong_about(0.5), n_estimators=9)
    assert len(alone.estimators_) == 1
    assert alone.estimator_errors_.tolist() == [0.5]
    nothing = boosted(np.zeros((6, 1)), [0, 0, 1, 1, 2, 2], n_estimators=9)  # of three classes, wrong in two of three
    assert nothing.estimator_errors_ == pytest.approx([2 / 3])


def _wrong_about(share: float) -> tuple[Any, Any]:
    """Rows of a yes-or-no column that is the label, but for a share of either kind."""
    column = np.repeat([0.0, 1.0], 100)
    return column[:, None], np.where(np.arange(200) % 100 < 100 * share, 1 - column, column)


def hastie(rows: int, seed: int) -> tuple[Any, Any]:
    return make_hastie_10_2(rows, random_state=seed)


@pytest.mark.slow
@pytest.mark.covers("proc_boosting_loop", "cl_adaboost_margin")
def test_the_test_error_falls_after_the_training_error_has_reached_nothing() -> None:
    (X, y), (others, truth) = hastie(1000, 0), hastie(3000, 1)
    model = boosted(X, y, n_estimators=200, max_depth=4)
    train = [float(np.mean(stage != y)) for stage in model.staged_predict(X)]
    test = [float(np.mean(stage != truth)) for stage in model.staged_predict(others)]
    assert min(train) == 0
    assert test[-1] <= test[train.index(0)] - 0.005


@pytest.mark.slow
@pytest.mark.covers("proc_boosting_loop", "cl_adaboost_label_noise")
def test_wrong_labels_disturb_it_more_than_a_forest() -> None:
    (X, y), (others, truth) = hastie(1000, 0), hastie(3000, 1)
    noisy = np.where(np.random.default_rng(0).random(1000) < 0.2, -y, y)
    boost = {"n_estimators": 150, "max_depth": 3}
    rise = {}
    for name, settings in (("ada-boost", boost), ("random-forest", {"n_estimators": 150})):
        clean, disturbed = (
            float(
                np.mean(build(name, settings, seed=0, problem="classification").fit(X, labels).predict(others) != truth)
            )
            for labels in (y, noisy)
        )
        rise[name] = disturbed - clean
    assert rise["ada-boost"] > 0.05
    assert rise["ada-boost"] > 1.3 * rise["random-forest"]


@pytest.mark.covers("ens-adaboost")
def test_a_stump_that_is_never_wrong_ends_it() -> None:
    x = np.arange(6.0)[:, None]
    model = build("ada-boost", {"n_estimators": 20}, seed=0, problem="classification").fit(x, x[:, 0] > 2)
    assert len(model.estimators_) == 1
    assert model.estimator_errors_[0] == 0
