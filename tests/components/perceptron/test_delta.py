from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.perceptron.delta import SIGMOID_BEND, DeltaRuleClassifier, DeltaRuleRegressor, pulls

pytestmark = pytest.mark.usefixtures("one_thread")

X = np.array([[0.0], [1.0], [2.0]])


def neuron(problem: str, **given: Any) -> Any:
    return build("delta-rule", given, seed=0, problem=problem)


def once(problem: str, y: Any, **given: Any) -> list[float]:
    model = neuron(problem, max_iter=1, tol=0.0, **given).fit(X, y)
    return [float(np.ravel(model.intercept_)[0]), float(np.ravel(model.coef_)[0])]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("estimator", [DeltaRuleRegressor(max_iter=300), DeltaRuleClassifier(max_iter=300)])
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


@pytest.mark.covers("percep-delta-linear")
def test_the_linear_neuron_ends_at_least_squares() -> None:
    y = np.array([1.0, 2, 4])
    assert once("regression", y, eta=0.1) == pytest.approx([0.233333, 0.333333], abs=1e-6)
    assert once("regression", y, eta=0.1, average=False) == pytest.approx([0.7, 1.0], abs=1e-9)
    model = neuron("regression", eta=0.1, max_iter=5000, tol=1e-12).fit(X, y)
    assert (model.intercept_, *model.coef_) == pytest.approx((0.833333, 1.5), abs=1e-6)
    automatic = neuron("regression", max_iter=5000, tol=1e-12).fit(X, y)
    assert automatic.n_iter_ < model.n_iter_
    assert automatic.coef_[0] == pytest.approx(1.5, abs=1e-6)


@pytest.mark.covers("percep-delta-sigmoid")
def test_the_sigmoid_neuron_steps_against_its_squared_error() -> None:
    y = np.array([0, 0, 1])
    assert once("classification", y, eta=0.1, average=False) == pytest.approx([-0.0125, 0.0125], abs=1e-12)
    rows = np.column_stack([np.ones(3), X])
    rng = np.random.default_rng(0)

    def error(w: Any) -> float:
        return float(np.sum((y - expit(rows @ w)) ** 2) / 2)

    for _ in range(5):
        w = rng.normal(size=2)
        slope = -rows.T @ pulls(rows @ w, y)
        finite = [(error(w + step) - error(w - step)) / 2e-5 for step in 1e-5 * np.eye(2)]
        assert slope == pytest.approx(finite, abs=1e-8)
    model = neuron("classification", max_iter=2000).fit(X, y)
    assert model.predict(X).tolist() == [0, 0, 1]
    border = -model.intercept_[0] / model.coef_[0, 0]  # one point of a line: a hyperplane
    assert model.predict_proba([[border]])[0] == pytest.approx([0.5, 0.5])
    assert model.predict([[border + 1e-9]]) == [1]
    assert model.predict([[border - 1e-6]]) == [0]


@pytest.mark.covers("percep-delta-sigmoid")
def test_the_rate_by_itself_is_the_largest_that_no_curvature_forbids() -> None:
    scores = np.linspace(-8, 8, 16_001)
    steepest = max(np.abs(np.gradient(pulls(scores, np.full(len(scores), t)), scores)).max() for t in (0.0, 1.0))
    assert steepest < SIGMOID_BEND < 1.01 * steepest
    rng = np.random.default_rng(0)
    points = rng.normal(size=(60, 3))
    y = points[:, 0] + rng.normal(size=60) > 0
    shares = [
        neuron("classification", max_iter=steps, tol=0.0).fit(points, y).predict_proba(points) for steps in range(1, 40)
    ]
    assert (np.diff([np.sum((share[:, 1] - y) ** 2) for share in shares]) < 0).all()


@pytest.mark.covers("percep-delta-sigmoid", "ex_perceptron_forward")
def test_what_a_neuron_says_of_one_row() -> None:
    model = neuron("classification").fit([[0.0, 0.0], [1.0, 1.0]], [0, 1])
    model.intercept_, model.coef_, model.scale_ = np.array([1.0]), np.array([[3.0, -2.0]]), 1.0
    assert model.decision_function([[-1.0, 2.0]]) == pytest.approx([-6.0], abs=1e-9)
    assert model.predict_proba([[-1.0, 2.0], [1.0, 2.0]])[:, 1] == pytest.approx([0.00247262315663, 0.5], abs=1e-9)


def test_a_rate_that_is_too_large_is_said_and_so_are_steps_that_are_too_few() -> None:
    y = np.array([1.0, 2, 4])
    with pytest.raises(ValueError, match="the rate eta is too large"):
        neuron("regression", eta=10.0).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="did not come to rest in 3 steps"):
        neuron("regression", eta=0.1, max_iter=3).fit(X, y)


def test_huge_and_tiny_columns() -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(80, 2))
    y = points[:, 0] > 0
    for size in (1e-8, 1.0, 1e8):
        model = neuron("classification", max_iter=500, tol=1e-12).fit(points * size, y)
        assert np.isfinite(model.predict_proba(points * size)).all()
        assert model.score(points * size, y) > 0.9


@pytest.mark.covers("percep-delta-linear")
@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_the_unit_of_the_target_does_not_matter(unit: float) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3))
    y = X @ [1.0, -2.0, 0.5] + rng.normal(size=30)
    plain, other = (build("delta-rule", {}, seed=0, problem="regression").fit(X, y * size) for size in (1.0, unit))
    assert other.predict(X) / unit == pytest.approx(plain.predict(X), rel=1e-9)
