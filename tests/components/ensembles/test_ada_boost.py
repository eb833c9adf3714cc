from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_hastie_10_2
from sklearn.tree import DecisionTreeClassifier

from penstock.components.catalog import build


@pytest.mark.covers("ens-adaboost", "proc_boosting_loop", "met_adaboost_weights")
def test_three_rounds_by_hand() -> None:
    x = np.arange(10.0)[:, None]
    y = np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])
    model = build("ada-boost", {"n_estimators": 3}, seed=0, problem="classification").fit(x, y)
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
    model = build("ada-boost", {"n_estimators": 1}, seed=0, problem="classification").fit(x, y)
    answer = model.estimators_[0].predict(x)
    assert answer.tolist() == [1, 1, -1, -1, -1, -1]
    assert model.estimator_errors_[0] == pytest.approx(1 / 6)
    alpha = model.estimator_weights_[0] / 2
    assert alpha == pytest.approx(0.804718956217, abs=1e-9)
    weights = np.full(6, 1 / 6) * np.exp(-alpha * y * answer)
    assert weights.sum() == pytest.approx(0.7453559925, abs=1e-9)
    assert weights / weights.sum() == pytest.approx([0.1, 0.1, 0.5, 0.1, 0.1, 0.1])
    errors = np.array([0.5, 0.3, 0.1, 0.01])
    alphas = [0, 0.423648930194, 1.09861228867, 2.29755992507]
    assert np.log((1 - errors) / errors) / 2 == pytest.approx(alphas, abs=1e-9)


def hastie(rows: int, seed: int) -> tuple[Any, Any]:
    return make_hastie_10_2(rows, random_state=seed)


@pytest.mark.slow
@pytest.mark.covers("proc_boosting_loop", "cl_adaboost_margin")
def test_the_test_error_falls_after_the_training_error_has_reached_nothing() -> None:
    (X, y), (others, truth) = hastie(1000, 0), hastie(3000, 1)
    settings = {"n_estimators": 200, "estimator": DecisionTreeClassifier(max_depth=4)}
    model = build("ada-boost", settings, seed=0, problem="classification").fit(X, y)
    train = [float(np.mean(stage != y)) for stage in model.staged_predict(X)]
    test = [float(np.mean(stage != truth)) for stage in model.staged_predict(others)]
    assert min(train) == 0
    assert test[-1] <= test[train.index(0)] - 0.005


@pytest.mark.slow
@pytest.mark.covers("proc_boosting_loop", "cl_adaboost_label_noise")
def test_wrong_labels_disturb_it_more_than_a_forest() -> None:
    (X, y), (others, truth) = hastie(1000, 0), hastie(3000, 1)
    noisy = np.where(np.random.default_rng(0).random(1000) < 0.2, -y, y)
    boost = {"n_estimators": 150, "estimator": DecisionTreeClassifier(max_depth=3)}
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
