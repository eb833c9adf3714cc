from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.linear_regression.constrained import NormConstrainedRegressor

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]


def within(X: Array, y: Array, **given: Any) -> Any:
    return build("norm-constrained-regression", given, seed=0, problem="regression").fit(X, y)


@pytest.mark.parametrize("norm", ["l2", "l1"])
def test_scikit_learn_agrees(norm: str) -> None:
    assert len(check_estimator(NormConstrainedRegressor(norm), on_skip=None)) > 30


@pytest.mark.covers("linreg-norm-constrained")
def test_a_ball_and_a_diamond() -> None:
    X = np.linalg.qr(np.random.default_rng(0).normal(size=(6, 2)))[0]
    ball = within(X, X @ np.array([3.0, 4.0]), norm="l2", t=6.25, fit_intercept=False)
    assert ball.coef_ == pytest.approx([1.5, 2.0], abs=1e-9)
    assert ball.penalty_ == pytest.approx(1.0, abs=1e-9)
    ridge = build("ridge", {"alpha": 1.0, "fit_intercept": False}, seed=0, problem="regression")
    assert ball.coef_ == pytest.approx(ridge.fit(X, X @ np.array([3.0, 4.0])).coef_, abs=1e-9)
    diamond = within(X, X @ np.array([3.0, 1.0]), norm="l1", t=2.0, fit_intercept=False)
    assert diamond.coef_ == pytest.approx([2.0, 0.0], abs=1e-9)


@pytest.mark.parametrize(("norm", "rows", "columns"), [("l2", 40, 5), ("l1", 40, 5), ("l2", 8, 20), ("l1", 8, 20)])
def test_the_bound_and_the_penalty_are_two_names_of_one_thing(norm: str, rows: int, columns: int) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(rows, columns)) * rng.uniform(0.1, 10, columns)
    y = X @ rng.normal(size=columns) + rng.normal(size=rows) + 100
    penalties = []
    for share in (0.9, 0.5, 0.1):
        model = within(X, y, norm=norm, share=share)
        used = np.sum(model.coef_**2) if norm == "l2" else np.abs(model.coef_).sum()
        assert used == pytest.approx(model.bound_, rel=1e-9)
        name, alpha = ("ridge", model.penalty_) if norm == "l2" else ("lasso", model.penalty_ / (2 * rows))
        exact = {"alpha": alpha} | ({} if norm == "l2" else {"tol": 1e-12, "max_iter": 200_000})
        penalised = build(name, exact, seed=0, problem="regression").fit(X, y)
        assert model.coef_ == pytest.approx(penalised.coef_, abs=1e-5)
        assert model.intercept_ == pytest.approx(penalised.intercept_, abs=1e-4)
        penalties.append(model.penalty_)
    assert penalties == sorted(penalties)
    loose = within(X, y, norm=norm, t=1e9)
    assert loose.penalty_ == 0.0
    plain = build("linear-regression", {}, seed=0, problem="regression").fit(X, y)
    assert loose.predict(X) == pytest.approx(plain.predict(X), abs=1e-6)


def test_columns_that_say_nothing_get_no_weight() -> None:
    X = np.column_stack([np.ones(5), np.arange(5.0)])
    for norm in ("l2", "l1"):
        assert within(X, np.full(5, 7.0), norm=norm).coef_ == pytest.approx([0, 0], abs=1e-12)
        assert within(X, X[:, 1], norm=norm, share=1.0).coef_ == pytest.approx([0, 1], abs=1e-9)


@pytest.mark.parametrize("norm", ["l2", "l1"])
def test_a_constant_column_that_no_mean_meets_takes_no_share_of_the_bound(norm: str) -> None:
    rng = np.random.default_rng(0)
    X, weight = rng.normal(size=(31, 2)), rng.uniform(0.5, 2, size=31)
    y = X @ [1.0, 2.0] + 1000
    both = np.column_stack([np.full(31, 123.456), np.full(31, 1e8 / 3), X])
    for by in (None, weight):
        plain = NormConstrainedRegressor(norm, share=0.9).fit(X, y, by)
        assert NormConstrainedRegressor(norm, share=0.9).fit(both, y, by).coef_ == pytest.approx(
            [0, 0, *plain.coef_], abs=1e-9
        )


@pytest.mark.covers("linreg-norm-constrained")
def test_a_diamond_where_columns_follow_from_each_other() -> None:
    rng = np.random.default_rng(0)
    for trial in range(20):
        X, y = rng.normal(size=(4 + trial % 6, 4)), rng.normal(size=4 + trial % 6)
        X[:, 3] = -X[:, 0] if trial % 2 else X[:, 0]
        rows, target = X - X.mean(axis=0), y - y.mean()
        for t in (1e-6, 0.05, 0.5, 2.0, None, 100.0):
            model = within(X, y, norm="l1", t=t, share=0.7)
            weights, lam = model.coef_, model.penalty_
            slopes, moved = 2 * rows.T @ (target - rows @ weights), np.abs(weights) > 1e-8
            # No slope is beyond lambda, and those of weights that are not zero are as large as it.
            assert np.abs(slopes).max() <= lam * (1 + 1e-6) + 1e-7
            assert slopes[moved] == pytest.approx(lam * np.sign(weights[moved]), abs=1e-6)
            used = np.abs(weights).sum()
            assert used <= model.bound_ * (1 + 1e-9)
            assert lam == 0 or used == pytest.approx(model.bound_, rel=1e-9)
