from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.linear_regression.bridge import BridgeRegressor, shrink

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]


def bridge(X: Array, y: Array, **given: Any) -> Any:
    return build("bridge", {"fit_intercept": False, **given}, seed=0, problem="regression").fit(X, y)


@pytest.mark.parametrize("q", [0.5, 1.0, 2.0, 3.0])
def test_scikit_learn_agrees(q: float) -> None:
    assert len(check_estimator(BridgeRegressor(q), on_skip=None)) > 30


@pytest.mark.covers("linreg-bridge-lq")
def test_below_one_weights_jump_and_one_and_two_are_lasso_and_ridge() -> None:
    X = np.linalg.qr(np.random.default_rng(0).normal(size=(9, 4)))[0]
    y = X @ np.array([1.49, 1.51, 2.0, 3.0])
    assert bridge(X, y, q=0.5, lam=2.0).coef_ == pytest.approx([0, 1.01329, 1.605378, 2.695453], abs=1e-5)
    assert bridge(X, y, q=0.5, lam=2.0).coef_[0] == 0.0

    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 5)), rng.normal(size=40)
    lasso = build("lasso", {"alpha": 6.0 / 80, "fit_intercept": False, "tol": 1e-12}, seed=0, problem="regression")
    ridge = build("ridge", {"alpha": 6.0, "fit_intercept": False}, seed=0, problem="regression")
    assert bridge(X, y, q=1.0, lam=6.0).coef_ == pytest.approx(lasso.fit(X, y).coef_, abs=1e-6)
    assert bridge(X, y, q=2.0, lam=6.0).coef_ == pytest.approx(ridge.fit(X, y).coef_, abs=1e-9)
    # Beside the two the descent of our own leads to the same.
    assert bridge(X, y, q=1.0 + 1e-9, lam=6.0).coef_ == pytest.approx(lasso.coef_, abs=1e-4)
    assert bridge(X, y, q=2.0 - 1e-9, lam=6.0).coef_ == pytest.approx(ridge.coef_, abs=1e-6)


@pytest.mark.parametrize("q", [0.3, 0.5, 0.9, 1.0, 1.3, 1.9, 2.0, 3.0])
def test_one_weight_is_minimised_exactly(q: float) -> None:
    grid = np.linspace(-4, 4, 800_001)
    for towards in (-2.3, -0.4, 0.0, 0.9, 3.1):
        values = (grid - towards) ** 2 / 2 + 0.7 * np.abs(grid) ** q
        assert shrink(towards, 0.7, q) == pytest.approx(grid[values.argmin()], abs=2e-5)


def test_more_starts_never_end_higher_and_the_objective_is_what_it_says() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(30, 8)) @ rng.normal(size=(8, 8))
    y = rng.normal(size=30)
    one, many = (bridge(X, y, q=0.4, lam=3.0, starts=starts, fit_intercept=True) for starts in (1, 12))
    assert many.objective_ <= one.objective_ == many.ends_[0]
    residual = y - many.predict(X)
    stated = (residual @ residual + 3.0 * np.sum(np.abs(many.coef_) ** 0.4)) / 2
    assert many.objective_ == pytest.approx(stated, rel=1e-9)


def test_more_columns_than_rows_constant_columns_and_no_penalty() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 100))
    X[:, 7] = 3.0
    y = 5 * X[:, 0] - 4 * X[:, 1] + 1.0
    found = bridge(X, y, q=0.5, lam=1.0, fit_intercept=True)
    assert set(np.flatnonzero(np.abs(found.coef_) > 0.5)) == {0, 1}
    assert found.coef_[7] == 0.0
    assert bridge(X, y, lam=0.0, fit_intercept=True).predict(X) == pytest.approx(y, abs=1e-8)


def test_without_a_penalty_a_constant_column_that_no_mean_meets_has_no_weight() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([np.full(31, 123.456), rng.normal(size=(31, 2))])
    found = bridge(X, X @ [0.0, 1.0, 2.0] + 1000, lam=0.0, fit_intercept=True)
    assert found.coef_ == pytest.approx([0, 1, 2], abs=1e-9)


@pytest.mark.covers("linreg-bridge-lq")
@pytest.mark.parametrize("q", [0.5, 1.0, 1.5, 2.0, 3.0])
def test_units_of_columns_and_target_only_change_the_penalty(q: float) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3))
    y = X @ [2.0, -1.0, 0.0] + 0.3 * rng.normal(size=30)
    found = bridge(X, y, q=q, lam=1.0).coef_
    for unit in (1e-8, 1e8):
        assert bridge(X * unit, y, q=q, lam=unit**q).coef_ * unit == pytest.approx(found, abs=1e-7)
        assert bridge(X, y * unit, q=q, lam=unit ** (2 - q)).coef_ / unit == pytest.approx(found, abs=1e-7)


@pytest.mark.parametrize(("towards", "q"), [(1e10, 100.0), (1e6, 2.5)])
def test_a_high_power_far_away_pulls_all_the_way(towards: float, q: float) -> None:
    w = shrink(towards, 1.0, q)
    assert w + q * w ** (q - 1) == pytest.approx(towards, rel=1e-9)
