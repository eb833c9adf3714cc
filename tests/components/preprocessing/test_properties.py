"""What must hold of any table for steps of the preparation: drawn, not chosen."""

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
CLIPPERS = ["clip-quantiles", "clip-tukey", "clip-deviations"]
IMPUTERS = ["row-mean", "class-mode", "k-nearest", pytest.param("iterative", marks=pytest.mark.slow), "svd"]
SCALERS = ["midpoint", "equal-influence", "quantile"]


def drawn(seed: int, *, of: str) -> tuple[Array, Array]:
    """Rows for a step; of levels if it counts them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 2)) @ rng.normal(size=(2, 4)) + 0.2 * rng.normal(size=(30, 4))
    y = (X[:, 0] > np.median(X[:, 0])).astype(int)
    if of == "class-mode":
        X = X.round()
    if find(of).kind == "imputer":
        X[rng.random(X.shape) < 0.15] = np.nan
        X[0] = 1.0  # some row and so every column has a value
    return X, y


def changed(name: str, X: Array, y: Array) -> Array:
    model = build(name, {}, seed=0, problem="classification")
    return np.asarray(model.fit_transform(X, y), dtype=np.float64)


@pytest.mark.parametrize("name", [*CLIPPERS, *IMPUTERS, *SCALERS])
@FEW
@given(seed=SEEDS)
def test_the_order_of_rows_does_not_matter(name: str, seed: int) -> None:
    X, y = drawn(seed, of=name)
    order = np.random.default_rng(seed).permutation(len(y))
    assert changed(name, X[order], y[order]) == pytest.approx(changed(name, X, y)[order], rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", [*CLIPPERS, *IMPUTERS[1:]])
@FEW
@given(seed=SEEDS, exponents=st.lists(st.integers(-20, 20), min_size=4, max_size=4))
def test_every_column_may_have_a_unit_of_its_own(name: str, seed: int, exponents: list[int]) -> None:
    X, y = drawn(seed, of=name)
    unit = 2.0 ** np.array(exponents)  # which no rounding follows
    assert changed(name, X * unit, y) / unit == pytest.approx(changed(name, X, y), rel=1e-6, abs=1e-6)


@FEW
@given(seed=SEEDS, unit=st.floats(1e-6, 1e6), level=st.floats(-9, 9))
def test_the_mean_of_a_row_goes_with_a_unit_and_a_zero_that_all_columns_share(
    seed: int, unit: float, level: float
) -> None:
    X, y = drawn(seed, of="row-mean")
    assert changed("row-mean", (X + level) * unit, y) / unit - level == pytest.approx(
        changed("row-mean", X, y), abs=1e-6
    )


@FEW
@given(seed=SEEDS, exponents=st.lists(st.integers(-20, 20), min_size=4, max_size=4))
def test_ranks_do_not_ask_for_units_nor_for_what_bends(seed: int, exponents: list[int]) -> None:
    X, y = drawn(seed, of="quantile")
    known = changed("quantile", X, y)
    assert changed("quantile", np.exp(X) * 2.0 ** np.array(exponents), y) == pytest.approx(known, abs=1e-9)


@pytest.mark.parametrize(("dissimilarity", "power"), [("squared", 2), ("absolute", 1)])
@FEW
@given(seed=SEEDS, exponents=st.lists(st.integers(-9, 9), min_size=4, max_size=4))
def test_columns_have_the_same_say_whatever_their_units(
    dissimilarity: str, power: int, seed: int, exponents: list[int]
) -> None:
    X, _ = drawn(seed, of="equal-influence")
    model = build("equal-influence", {"dissimilarity": dissimilarity}, seed=0, problem="clustering")
    shown = model.fit_transform(X * 2.0 ** np.array(exponents))
    says = (np.abs(shown[:, None] - shown[None]) ** power).mean(axis=(0, 1))
    assert says == pytest.approx(np.full(4, says[0]))
    assert model.weights_.sum() == pytest.approx(1)
