from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.linear_model import Lasso, Ridge
from sklearn.utils.estimator_checks import parametrize_with_checks

from penstock.components.catalog import build
from penstock.components.feature_selection.l1 import L1Selector

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]


def selector(name: str, problem: str = "regression", **given: Any) -> Any:
    return build(name, given, seed=0, problem=problem)


def sparse(weights: list[float], noise: float, rows: int = 100, columns: int = 20) -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, columns))
    return X, X[:, : len(weights)] @ weights + noise * rng.normal(size=rows)


@parametrize_with_checks([L1Selector()])
def test_it_is_a_scikit_learn_estimator(estimator: BaseEstimator, check: Any) -> None:
    check(estimator)


@pytest.mark.covers("fs-embedded-l1")
def test_the_lasso_keeps_what_the_target_is_made_of() -> None:
    X, y = sparse([3.0, -2.0, 1.0], noise=0.1)
    kept = selector("l1", alpha=0.1).fit(X, y)
    assert kept.get_support(indices=True).tolist() == [0, 1, 2]
    assert kept.transform(X).shape == (100, 3)
    assert np.array_equal(kept.weights_, np.abs(Lasso(alpha=0.1).fit(X, y).coef_))
    assert np.count_nonzero(Ridge().fit(X, y).coef_ == 0) == 0


@pytest.mark.covers("proc_embedded_selection", "cl_l1_zeros_l2_none")
def test_zeros_come_from_the_penalty_and_the_solver() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 20))
    truth = np.r_[rng.normal(size=5) * 3, np.zeros(15)]
    y = X @ truth + rng.normal(size=100)
    assert np.count_nonzero(~selector("l1", alpha=0.2).fit(X, y).get_support()) >= 12
    assert np.count_nonzero(Ridge(alpha=20).fit(X, y).coef_ == 0) == 0
    weights = np.zeros(20)
    for _ in range(20_000):
        weights -= 0.01 * (X.T @ (X @ weights - y) / 100 + 0.2 * np.sign(weights))
    assert np.count_nonzero(weights == 0) == 0


@pytest.mark.covers("fs-embedded-l1")
def test_a_column_of_large_numbers_is_not_lost_for_its_small_weight() -> None:
    X, y = sparse([3.0, -2.0], noise=0.1, columns=4)
    kept = selector("l1", alpha=0.1).fit(X * [1e12, 1.0, 1.0, 1.0], y)
    assert kept.weights_[0] < 1e-11
    assert kept.get_support(indices=True).tolist() == [0, 1]


@pytest.mark.parametrize("classes", [2, 3])
def test_classes_are_told_by_the_columns_that_make_them(classes: int) -> None:
    X, signal = sparse([3.0, -3.0], noise=0.1, rows=200)
    y = np.digitize(signal, np.quantile(signal, np.arange(1, classes) / classes))
    kept = selector("l1", "classification", alpha=0.05).fit(X, y)
    assert kept.get_support(indices=True).tolist() == [0, 1]


def test_a_copy_of_all_rows_changes_nothing() -> None:
    X, signal = sparse([2.0, 1.0], noise=1.0)
    y = (signal > 0).astype(int)
    once, twice = (
        selector("l1", "classification").fit(*rows) for rows in ((X, y), (np.tile(X, (2, 1)), np.tile(y, 2)))
    )
    assert once.weights_ == pytest.approx(twice.weights_, abs=0.02)
