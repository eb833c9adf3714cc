"""What must hold of any table for what selects columns: drawn, not chosen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.components.catalog import build, find

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]
FEW = settings(max_examples=8, deadline=None, derandomize=True)
SEEDS = st.integers(0, 10_000)
UNITS = st.lists(st.integers(-20, 20), min_size=5, max_size=5)
SCORING: list[tuple[str, dict[str, Any]]] = [
    ("correlation", {}),
    ("correlation", {"measure": "spearman"}),
    ("anova", {}),
    ("information-gain", {}),
    ("mutual-information", {"few": 0}),
    ("mutual-information", {"few": 10}),
]
WRAPPING = [
    pytest.param(name, {"keep": 2, "folds": 2}, marks=pytest.mark.slow)
    for name in ("forward-selection", "backward-elimination", "exhaustive-selection")
]
CASES = [
    (problem, name, given)
    for name, given in SCORING
    for problem in ("classification", "regression")
    if problem in find(name).problems
]


def drawn(seed: int, problem: str) -> tuple[Array, Array]:
    """Two columns of few values, three of many."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 5)) + rng.uniform(1, 9, 5)
    X[:, :2] = X[:, :2].round()
    value = X @ rng.normal(size=5) + rng.normal(size=60)
    return X, np.digitize(value, np.quantile(value, [1 / 3, 2 / 3])) if problem == "classification" else value


def scores(name: str, given: dict[str, Any], X: Array, y: Array, problem: str) -> Array:
    return np.asarray(build(name, given, seed=0, problem=problem).fit(X, y).scores_)


# Mutual information of many values breaks ties by noise, which goes by the row's place.
@pytest.mark.parametrize(("problem", "name", "parameters"), [one for one in CASES if one[1] != "mutual-information"])
@FEW
@given(seed=SEEDS)
def test_the_order_of_rows_does_not_matter(problem: str, name: str, parameters: dict[str, Any], seed: int) -> None:
    X, y = drawn(seed, problem)
    order = np.random.default_rng(seed).permutation(len(y))
    known = scores(name, parameters, X, y, problem)
    assert scores(name, parameters, X[order], y[order], problem) == pytest.approx(known, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(("problem", "name", "parameters"), CASES)
@FEW
@given(SEEDS, UNITS, st.sampled_from([2.0**-20, 1.0, 2.0**20]))
def test_columns_and_target_have_no_units(
    problem: str, name: str, parameters: dict[str, Any], seed: int, exponents: list[int], money: float
) -> None:
    X, y = drawn(seed, problem)
    known = scores(name, parameters, X, y, problem)
    scaled = scores(name, parameters, X * 2.0 ** np.array(exponents), y * money if y.dtype.kind == "f" else y, problem)
    assert scaled == pytest.approx(known, rel=1e-6, abs=1e-9)


@FEW
@given(seed=SEEDS)
def test_rows_that_are_there_twice_double_chi_squared_and_leave_shares(seed: int) -> None:
    X, y = drawn(seed, "classification")
    X = np.abs(X).round()
    X[:, 0] = X[:, 0] > np.median(X[:, 0])
    twice, again = np.vstack([X, X]), np.append(y, y)
    for name, times in (("chi-squared", 2), ("information-gain", 1), ("correlation", 1)):
        given: dict[str, Any] = {"bins": 100} if name == "information-gain" else {}
        known = scores(name, given, X, y, "classification")
        assert scores(name, given, twice, again, "classification") == pytest.approx(times * known, abs=1e-9)


@pytest.mark.parametrize(("name", "parameters"), WRAPPING)
@settings(max_examples=4, deadline=None, derandomize=True)
@given(seed=SEEDS, exponents=UNITS)
def test_what_wrappers_keep_hangs_on_no_unit(
    name: str, parameters: dict[str, Any], seed: int, exponents: list[int]
) -> None:
    X, y = drawn(seed, "regression")
    kept = [
        build(name, parameters, seed=0, problem="regression").fit(table, y).get_support(indices=True).tolist()
        for table in (X, X * 2.0 ** np.array(exponents))
    ]
    assert kept[0] == kept[1]
