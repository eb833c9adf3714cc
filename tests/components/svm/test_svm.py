from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.datasets import make_circles, make_moons
from sklearn.model_selection import cross_val_score
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build, entries
from penstock.components.svm.classifier import CalibratedSVC
from penstock.components.svm.regressor import ScaledSVR
from tests.searching import make_search

# Inner folds differ with the rows; libsvm's own weights do not count like repeated rows either.
NOT_LIKE_REPEATED_ROWS = {
    "check_sample_weight_equivalence_on_dense_data": "weights are no repeated rows here",
    "check_sample_weight_equivalence_on_sparse_data": "weights are no repeated rows here",
}


def svm(name: str, **given: Any) -> Any:
    return build(name, given, seed=0, problem="regression" if name == "svr" else "classification")


@pytest.mark.slow
@pytest.mark.parametrize("estimator", [CalibratedSVC(), CalibratedSVC(kernel="linear"), ScaledSVR()])
def test_scikit_learn_agrees(estimator: Any) -> None:
    checks = check_estimator(estimator, on_skip=None, expected_failed_checks=NOT_LIKE_REPEATED_ROWS)
    assert len(checks) > 30


def test_a_bent_border_where_no_straight_one_helps() -> None:
    X, y = make_circles(200, noise=0.05, factor=0.3, random_state=0)
    assert svm("rbf-svm").fit(X, y).score(X, y) == 1.0
    assert svm("linear-svm").fit(X, y).score(X, y) < 0.7


def squared_hinge(X: Any, y: Any, C: float) -> Any:
    """Weights and bias of the least 1/2 |w|² + C sum max(0, 1 - y f)², whose bias costs nothing."""
    rows = np.column_stack([X, np.ones(len(X))])

    def cost(v: Any) -> tuple[float, Any]:
        short = np.maximum(0, 1 - y * (rows @ v))
        return v[:-1] @ v[:-1] / 2 + C * short @ short, np.r_[v[:-1], 0.0] - 2 * C * rows.T @ (short * y)

    return minimize(cost, np.zeros(rows.shape[1]), jac=True, tol=1e-12).x


@pytest.mark.covers("svm-soft-margin")
@pytest.mark.parametrize("C", [0.01, 1.0])
@pytest.mark.parametrize("far", [0.0, 100.0])
def test_by_default_the_linear_machine_has_the_squared_hinge_and_a_bias_that_costs_nothing(
    C: float, far: float
) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=200) > -1, 1, -1)
    model = svm("linear-svm", C=C).fit(X + far, y)
    best = squared_hinge(X, y, C)
    assert isinstance(model.machine_, LinearSVC)
    assert model.machine_.coef_[0] == pytest.approx(best[:-1], abs=5e-3)
    assert model.machine_.decision_function(X + far) == pytest.approx(X @ best[:-1] + best[-1], abs=1e-2)
    assert model.score(X + far, y) == svm("linear-svm", C=C).fit(X, y).score(X, y) > 0.85
    assert "squared hinge losses, the bias all but free" in (entries()["linear-svm"].objective or "")


@pytest.mark.parametrize("name", ["linear-svm", "rbf-svm"])
def test_probabilities_are_as_often_right_as_they_say(name: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 2))
    chance = 1 / (1 + np.exp(-1.5 * X[:, 0]))
    y = (rng.random(1000) < chance).astype(int)
    assert np.abs(svm(name).fit(X, y).predict_proba(X)[:, 1] - chance).mean() < 0.1


def test_a_class_with_a_single_row_is_no_error() -> None:
    X = np.arange(12.0).reshape(6, 2)
    shares = svm("rbf-svm").fit(X, [0, 0, 0, 1, 1, 2]).predict_proba(X)
    assert shares.sum(axis=1) == pytest.approx(np.ones(6))


@pytest.mark.covers("svm-svr", "cl_outlier_robustness")
def test_errors_below_epsilon_cost_nothing() -> None:
    x = np.array([[0.0], [1.0], [2.0]])
    plain = {"kernel": "linear", "scale_target": False}
    model = svm("svr", C=1e6, epsilon=0.5, **plain).fit(x, x[:, 0])
    assert (model.coef_[0, 0], model.intercept_[0]) == pytest.approx((0.5, 0.5), abs=1e-3)
    assert model.support_.tolist() == [0, 2]

    rng = np.random.default_rng(0)
    x = np.linspace(0.0, 10.0, 50)[:, None]
    y = 2 * x[:, 0] + rng.normal(scale=0.3, size=50)
    y[-1] += 100
    ols, ridge = (build(name, {}, seed=0, problem="regression").fit(x, y) for name in ("linear-regression", "ridge"))
    assert min(abs(ols.coef_[0] - 2), abs(ridge.coef_[0] - 2)) > 0.5
    assert abs(svm("svr", **plain).fit(x, y).coef_[0, 0] - 2) < 0.1
    absolute = build("least-absolute-deviations", {}, seed=0, problem="regression").fit(x, y)
    assert abs(absolute.coef_[0] - 2) < 0.1

    x = np.linspace(0.0, 1.0, 50)[:, None]
    y = 2 * x[:, 0]
    y[-1] += 100
    assert build("linear-regression", {}, seed=0, problem="regression").fit(x, y).coef_[0] == pytest.approx(
        13.5, abs=0.05
    )
    assert svm("svr", C=10.0, epsilon=1e-3, **plain).fit(x, y).coef_[0, 0] == pytest.approx(2.00, abs=0.005)


def test_the_unit_of_the_target_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = X[:, 0] + 0.1 * rng.normal(size=60)
    small, large = svm("svr").fit(X, y), svm("svr").fit(X, 1e6 * y + 5)
    assert large.predict(X) == pytest.approx(1e6 * small.predict(X) + 5, rel=1e-6)
    assert np.corrcoef(large.predict(X), y)[0, 1] > 0.9


@pytest.mark.slow
@pytest.mark.covers("proc_joint_search_kernel")
def test_kernel_penalty_and_width_are_searched_together() -> None:
    """One after the other, they lead elsewhere: what is the best penalty hangs on the width, and both on the kernel."""
    listed: dict[str, list[Any]] = {"kernel": ["linear", "rbf"], "C": [0.1, 10.0, 1000.0], "gamma": [0.01, 0.1, 1.0]}
    budget: dict[str, Any] = {"problem": "classification", "candidates": 19, "batch": 19, "seed": 0}
    search = make_search([("svm", {**listed, "folds": 2})], strategy="grid", **budget)
    found = [trial.candidate.parameters for trial in search.ask()][1:]
    chosen = {tuple(parameters[name] for name in listed): parameters for parameters in found}
    assert len(found) == 18
    assert set(chosen) == set(itertools.product(*listed.values()))

    X, y = make_moons(80, noise=0.15, random_state=0)
    scores = {
        values: cross_val_score(svm("svm", **parameters), X, y, cv=3, scoring="neg_log_loss").mean()
        for values, parameters in chosen.items()
    }
    best = max(scores, key=lambda values: scores[values])

    def one_by_one(start: dict[str, Any], names: list[str]) -> tuple[Any, ...]:
        for name in names:
            start[name] = max(listed[name], key=lambda value: scores[tuple((start | {name: value}).values())])
        return tuple(start.values())

    assert best == ("rbf", 10.0, 1.0)
    assert one_by_one({"kernel": "rbf", "C": 0.1, "gamma": 0.01}, ["C", "gamma"]) == ("rbf", 1000.0, 0.1)
    assert one_by_one({"kernel": "linear", "C": 0.1, "gamma": 0.01}, [*listed])[0] == "linear"


@pytest.mark.slow
@pytest.mark.covers("svm-svr", "svm-kernel")
@settings(max_examples=5, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000))
@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_a_weight_of_two_is_the_row_twice_in_the_width_too(kernel: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(24, 2))
    y = X[:, 0] - X[:, 1] ** 2
    times = rng.integers(1, 3, 24)
    twice, again = np.repeat(X, times, axis=0), np.repeat(y, times)
    weighted = svm("svr", kernel=kernel, tol=1e-9).fit(X, y, sample_weight=times.astype(float))
    assert svm("svr", kernel=kernel, tol=1e-9).fit(twice, again).predict(X) == pytest.approx(
        weighted.predict(X), abs=1e-5
    )
    sides = y > np.median(y)
    machine = svm("svm", kernel=kernel, tol=1e-9).fit(X, sides, sample_weight=times.astype(float)).machine_
    repeated = svm("svm", kernel=kernel, tol=1e-9).fit(twice, np.repeat(sides, times)).machine_
    assert machine.decision_function(X) == pytest.approx(repeated.decision_function(X), abs=1e-4)


def test_negative_weights_are_refused() -> None:
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        svm("svr").fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0], sample_weight=[1.0, -1.0, 1.0])


@pytest.mark.covers("svm-kernel")
def test_columns_far_from_zero_keep_their_digits() -> None:
    X, y = make_moons(40, noise=0.2, random_state=0)
    near, far = svm("rbf-svm").fit(X, y).machine_, svm("rbf-svm").fit(X + 1e9, y).machine_
    assert far.decision_function(X + 1e9) == pytest.approx(near.decision_function(X), abs=0.01)
