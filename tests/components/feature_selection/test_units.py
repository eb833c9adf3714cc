"""What is chosen hangs neither on where zero is nor on units, of columns or of the target."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.catalog import build

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]
SELECTORS: list[tuple[str, dict[str, Any]]] = [
    ("anova", {"keep": 2}),
    ("correlation", {"keep": 2}),
    ("correlation", {"keep": 2, "measure": "spearman"}),
    ("mutual-information", {"keep": 2}),
    ("tree-importance", {"keep": 2, "trees": 20}),
    ("forward-selection", {"keep": 2}),
    ("backward-elimination", {"keep": 2}),
    ("exhaustive-selection", {"keep": 2}),
    ("hold-out-wrapper", {"keep": 2}),
    ("stability-selection", {"threshold": 0.6, "wrong": 5.0}),
]


def rows() -> tuple[Array, Array]:
    """Of few digits, so that none is lost far from zero; the third and the fourth column matter."""
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(80, 5)) * 2**10) / 2**10
    y = X @ [0.0, 0.0, 2.0, -1.5, 0.0] + 0.2 * rng.normal(size=80)
    return X, np.round(y * 2**10) / 2**10


def chosen(name: str, given: dict[str, Any], X: Array, y: Array) -> list[int]:
    problem = "regression" if y.dtype.kind == "f" else "classification"
    selector = build(name, given, seed=0, problem=problem).fit(X, y)
    return np.flatnonzero(selector.get_support()).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("where", ["far", "tiny column", "large column", "constants"])
@pytest.mark.parametrize(("name", "given"), SELECTORS)
def test_columns_in_any_unit_and_far_from_zero(name: str, given: dict[str, Any], where: str) -> None:
    X, y = rows()
    for target in (y, np.where(y > 0, "b", "a")):
        expected = chosen(name, given, X, target)
        assert expected == [2, 3]
        there = X + 1e9 * (where == "far")
        if "column" in where:
            there[:, 2] *= 1e-8 if where == "tiny column" else 1e8
        if where == "constants":
            there = np.column_stack([X, np.full(len(X), 0.1), np.full(len(X), 1e9 / 3)])
        assert chosen(name, given, there, target) == expected


@pytest.mark.slow
@pytest.mark.parametrize(("name", "given"), SELECTORS)
def test_a_target_in_any_unit_and_far_from_zero(name: str, given: dict[str, Any]) -> None:
    X, y = rows()
    for target in (y * 1e-8, y * 1e8, y + 1e9):
        assert chosen(name, given, X, target) == [2, 3]


@pytest.mark.parametrize("far", [1e3, 1e9])
def test_a_penalty_on_sizes_does_not_ask_where_zero_is(far: float) -> None:
    X, y = rows()
    for target in (y, np.where(y > 0, "b", "a")):
        problem = "regression" if target is y else "classification"
        near, there = (build("l1", {"alpha": 0.05}, seed=0, problem=problem).fit(at, target) for at in (X, X + far))
        assert there.weights_ == pytest.approx(near.weights_, abs=1e-3)
        assert there.kept_.tolist() == near.kept_.tolist()


@pytest.mark.parametrize("name", ["anova", "correlation", "mutual-information", "l1", "forward-selection"])
@pytest.mark.parametrize("kind", ["Int64", "boolean", "int64[pyarrow]"])
def test_classes_of_pandas_own_types_are_classes(name: str, kind: str) -> None:
    X, y = rows()
    classes = pd.Series(np.digitize(y, np.quantile(y, [0.5] if kind == "boolean" else [0.3, 0.6])))
    plain, other = (
        build(name, {}, seed=0, problem="classification").fit(X, target) for target in (classes, classes.astype(kind))
    )
    assert other.get_support().tolist() == plain.get_support().tolist()
    for told in ("scores_", "weights_"):
        assert getattr(other, told, np.zeros(1)) == pytest.approx(getattr(plain, told, np.zeros(1)), rel=1e-12)


def test_missing_classes_are_refused() -> None:
    X, y = rows()
    classes = pd.Series((y > np.median(y)).astype(int)).astype("Int64").where(y < y.max())
    with pytest.raises(ValueError, match="NaN"):
        build("anova", {}, seed=0, problem="classification").fit(X, classes)
