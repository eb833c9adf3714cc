"""Columns for least squares: step by step, and the best set of all."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LinearRegression
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.linear_regression import leaps
from penstock.components.linear_regression.subset import SubsetSelector
from penstock.components.teaching.solvers.sequential import sequential_least_squares
from penstock.errors import UsageError

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]
X1 = np.array([1.0, 1, -1, -1, 0, 0])
X2 = np.array([1.0, -1, 1, -1, 0, 0])
TRAP = np.column_stack([X1, X2, X1 + X2 + np.array([0, 0, 0, 0, 0.9, -0.9])])


def subset(X: Array, y: Array, **given: Any) -> Any:
    return build("least-squares-subset", given, seed=0, problem="regression").fit(X, y)


def refitted(X: Array, y: Array, columns: Any) -> float:
    chosen = X[:, list(columns)]
    return float(np.sum((y - chosen @ np.linalg.lstsq(chosen, y, rcond=None)[0]) ** 2)) if len(chosen.T) else y @ y


@pytest.mark.parametrize("search", ["forward", "backward", "exact"])
def test_scikit_learn_agrees(search: str) -> None:
    assert len(check_estimator(SubsetSelector(keep=2, search=search), on_skip=None)) > 30


@pytest.mark.covers("linreg-best-subset", "linreg-stepwise-rss")
def test_forward_steps_into_the_trap_backward_and_the_exact_search_do_not() -> None:
    y = X1 + X2
    found = {way: subset(TRAP, y, keep=2, search=way, fit_intercept=False) for way in ("forward", "backward", "exact")}
    assert found["forward"].get_support(indices=True).tolist() == [0, 2]
    assert found["forward"].errors_[-1] == pytest.approx(1.153, abs=5e-4)
    assert found["backward"].get_support(indices=True).tolist() == [0, 1]
    assert found["exact"].get_support(indices=True).tolist() == [0, 1]
    assert found["exact"].errors_[-1] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.covers("linreg-stepwise-rss")
def test_the_library_takes_the_same_steps() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 7)) @ rng.normal(size=(7, 7))
    y = X @ rng.normal(size=7) + rng.normal(size=60)
    every = np.arange(60)
    for direction in ("forward", "backward"):
        library = SequentialFeatureSelector(
            LinearRegression(), n_features_to_select=3, direction=direction, scoring="neg_mean_squared_error",
            cv=[(every, every)],
        ).fit(X, y)  # fmt: skip
        assert (subset(X, y, keep=3, search=direction).support_ == library.get_support()).all()


@pytest.mark.covers("linreg-best-subset", "proc_subset_regression")
def test_the_exact_search_finds_what_trying_all_sets_finds() -> None:
    rng = np.random.default_rng(2)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(25, 9)) @ rng.normal(size=(9, 9))
        X[:, 8] = X[:, 0] - X[:, 1]  # follows from others
        y = X @ rng.normal(size=9) + 3 * rng.normal(size=25)
        for keep in (1, 3, 6):
            model = subset(X, y, keep=keep, search="exact", fit_intercept=False)
            best = min(refitted(X, y, columns) for columns in combinations(range(9), keep))
            assert model.errors_[-1] == pytest.approx(best, rel=1e-6)
            assert model.support_.sum() == keep


@pytest.mark.covers("proc_subset_regression", "linreg-stepwise-rss")
def test_on_orthogonal_columns_steps_are_best_and_qr_equals_refits() -> None:
    rng = np.random.default_rng(0)
    X = np.linalg.qr(rng.normal(size=(20, 6)))[0] * [1.0, 2, 3, 4, 5, 6]
    y = rng.normal(size=20)
    forward = subset(X, y, keep=6, search="forward", fit_intercept=False)
    for size in range(1, 7):
        best = min(refitted(X, y, columns) for columns in combinations(range(6), size))
        assert forward.errors_[size] == pytest.approx(best, abs=1e-10)
        assert subset(X, y, keep=size, search="exact", fit_intercept=False).errors_[-1] == pytest.approx(best, abs=1e-9)
        assert subset(X, y, keep=size, search="backward", fit_intercept=False).errors_[-1] == pytest.approx(
            best, abs=1e-10
        )

    X = rng.normal(size=(20, 6)) @ rng.normal(size=(6, 6))
    forward = subset(X, y, keep=6, search="forward", fit_intercept=False)
    for size in range(7):
        assert forward.errors_[size] == pytest.approx(refitted(X, y, forward.order_[:size]), abs=1e-10)
    backward = subset(X, y, keep=2, search="backward", fit_intercept=False)
    for gone in range(5):
        left = [column for column in range(6) if column not in backward.order_[:gone]]
        assert backward.errors_[gone] == pytest.approx(refitted(X, y, left), abs=1e-10)
    ordered = sequential_least_squares(X[:, forward.order_], y)
    assert ordered.errors == pytest.approx(forward.errors_, abs=1e-10)


def test_fifty_columns_of_which_few_matter() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 50))
    y = X[:, [3, 14, 15, 9, 26]] @ [3.0, -2, 2, 1, -1] + rng.normal(size=300)
    found = subset(X, y, keep=5, search="exact")
    assert found.get_support(indices=True).tolist() == [3, 9, 14, 15, 26]


def test_a_search_without_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaps, "MAX_NODES", 50)
    rng = np.random.default_rng(0)
    with pytest.raises(UsageError, match="the best 10 of 25 columns") as caught:
        subset(rng.normal(size=(40, 25)), rng.normal(size=40), keep=10, search="exact")
    assert caught.value.code == "PEN060"
    assert "search: forward" in caught.value.remedy


def test_more_columns_than_rows_and_copies() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(10, 40))
    X[:, 1] = X[:, 0]
    X[:, 2] = 4.0
    y = 2 * X[:, 0] - X[:, 30] + 1
    forward = subset(X, y, keep=2)
    assert forward.get_support(indices=True).tolist() == [0, 30]
    assert subset(X, y, keep=40).support_.all()
    backward = subset(X[:, :6], y, keep=3, search="backward")
    assert not backward.support_[[0, 1]].all()
    assert not backward.support_[2]


@pytest.mark.covers("linreg-best-subset", "linreg-stepwise-rss")
@pytest.mark.parametrize("search", ["backward", "exact"])
@pytest.mark.parametrize("apart", [1e-4, 1e-6])
def test_near_copies_tell_what_they_differ_in(search: str, apart: float) -> None:
    rng = np.random.default_rng(0)
    x1, z = rng.normal(size=(2, 60))
    X = np.column_stack([x1, x1 + apart * z, z + 0.04 * rng.normal(size=60)])
    found = subset(X, z, keep=2, search=search)
    assert found.get_support(indices=True).tolist() == [0, 1]
    assert found.errors_[-1] < 1e-10


@pytest.mark.covers("linreg-best-subset", "linreg-stepwise-rss")
@pytest.mark.parametrize("search", ["forward", "backward", "exact"])
def test_units_of_columns_and_target_do_not_matter(search: str) -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([np.full(30, 0.1), rng.normal(size=(30, 4))])
    y = X @ [0.0, 1.0, -2.0, 3.0, 0.5] + 0.1 * rng.normal(size=30)
    found = subset(X, y, keep=2, search=search)
    assert found.get_support(indices=True).tolist() == [2, 3]
    for unit in (1e-8, 1e8):
        other = subset(X * [1, 1, 1, 1e-8, 1], y * unit, keep=2, search=search)
        assert other.order_.tolist() == found.order_.tolist()
        assert other.errors_ == pytest.approx(found.errors_ * unit * unit)


@pytest.mark.covers("linreg-qr-sequential")
def test_errors_beside_a_large_constant() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([np.ones(100), rng.normal(size=(100, 3))])
    y = X @ [1e8, 1.0, 2.0, 0.5] + rng.normal(size=100)
    steps = sequential_least_squares(X, y)
    less = y - y.mean()
    for count in range(1, 5):
        rest = less - X[:, :count] @ np.linalg.lstsq(X[:, :count], less, rcond=None)[0]
        assert steps.errors[count] == pytest.approx(rest @ rest, rel=1e-6)
    assert steps.errors[1:-1] - steps.errors[2:] == pytest.approx(steps.lowered[1:], rel=1e-9)
