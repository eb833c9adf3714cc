from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import Perceptron
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.perceptron.rosenblatt import PerceptronClassifier
from penstock.components.teaching.learning_theory.perceptron import perceptron_loop

pytestmark = pytest.mark.usefixtures("one_thread")

AND = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
BOTH = np.array([-1, -1, -1, 1])
DIFFERENT = np.array([-1, 1, 1, -1])


def perceptron(X: Any, y: Any, **given: Any) -> Any:
    return build("perceptron", given, seed=0, problem="classification").fit(X, y)


@pytest.mark.parametrize("rule", ["passes", "draws"])
def test_scikit_learn_agrees(rule: str) -> None:
    assert len(check_estimator(PerceptronClassifier(rule=rule, max_iter=5), on_skip=None)) > 30


@pytest.mark.covers("percep-rosenblatt", "proc_perceptron_loop")
def test_and_is_learnt_and_xor_is_not() -> None:
    rows = np.column_stack([np.ones(4), AND])
    found = perceptron(AND, BOTH)
    assert [*found.intercept_, *found.coef_[0]] == [-4, 3, 2]
    assert found.separated_.all()
    assert (found.predict(AND) == BOTH).all()
    library = Perceptron(fit_intercept=False, shuffle=False, tol=None, eta0=1.0).fit(rows, BOTH)
    assert library.coef_[0].tolist() == [-4, 3, 2]
    loop = perceptron_loop(rows, BOTH)
    assert loop.weights.tolist() == [-4, 3, 2]
    assert len(loop.updates) == 18
    assert loop.mistakes[-1] == 0
    assert len(loop.mistakes) == found.n_iter_
    best = np.array([-3.0, 2, 2])  # all margins are 1 or 3
    assert np.max(np.sum(rows**2, axis=1)) * best @ best / min(BOTH * (rows @ best)) ** 2 == pytest.approx(51)
    assert len(loop.updates) <= 51

    slow = perceptron(AND, BOTH, eta=0.25)  # from zero, the rate is the length of the weights and nothing else
    assert [*slow.intercept_, *slow.coef_[0]] == [-1, 0.75, 0.5]
    assert slow.n_iter_ == found.n_iter_

    never = perceptron(AND, DIFFERENT, max_iter=200)
    assert not never.separated_.any()
    assert never.n_iter_ == 200
    assert perceptron_loop(rows, DIFFERENT, most=200).mistakes[-1] > 0


@pytest.mark.covers("ex_perceptron_updates", "proc_perceptron_loop")
def test_updates_are_counted_and_bounded() -> None:
    X = np.array([[1.0, 2], [2, -1], [-1, 1], [-2, -1.5]])
    y = np.array([1, 1, -1, -1])
    loop = perceptron_loop(X, y)
    assert loop.weights.tolist() == [3, 1]
    assert loop.updates == [0, 1]
    longest, direction = np.max(np.sum(X**2, axis=1)), np.array([1.0, 0.0])
    bound = longest / np.min(y * (X @ direction)) ** 2
    assert bound == 6.25
    assert len(loop.updates) <= bound
    assert not (y * (X @ np.zeros(2)) < 0).any()  # with the strict sign nothing would ever be learnt


@pytest.mark.covers("percep-rosenblatt")
@pytest.mark.parametrize("eta", [1.0, 0.3])
def test_rows_drawn_at_random_from_a_random_start(eta: float) -> None:
    found = perceptron(AND, BOTH, rule="draws", max_iter=100, eta=eta)
    assert found.separated_.all()
    assert (found.predict(AND) == BOTH).all()
    # By hand: w += eta (t - o) x on every draw, with o = sign(w.x).
    rng = np.random.RandomState(0)
    weights = rng.normal(scale=0.01, size=3)
    rows = np.column_stack([np.ones(4), AND])
    for row in rng.randint(4, size=400):
        weights = weights + eta * (BOTH[row] - np.sign(weights @ rows[row])) * rows[row]
    assert [*found.intercept_, *found.coef_[0]] == pytest.approx(weights, abs=1e-9)


def test_draws_that_hold_one_class_only_are_no_error() -> None:
    for seed in range(8):
        found = PerceptronClassifier("draws", max_iter=1, random_state=seed).fit([[0.0], [1.0]], ["no", "yes"])
        assert found.classes_.tolist() == ["no", "yes"]
        assert np.isfinite(found.predict_proba([[0.5]])).all()


def test_three_classes_and_a_score_of_zero() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2)) + np.repeat([[0, 6], [6, 0], [-6, -6]], 30, axis=0)
    y = np.repeat(["a", "b", "c"], 30)
    found = perceptron(X, y)
    assert found.coef_.shape == (3, 2)
    assert found.score(X, y) == 1.0
    model = PerceptronClassifier().fit(AND, BOTH)
    model.coef_, model.intercept_ = np.zeros((1, 2)), np.zeros(1)
    assert (model.predict(AND) == 1).all()
