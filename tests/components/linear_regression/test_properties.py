"""What must hold for any table: drawn, not chosen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.components.catalog import build

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]
FEW = settings(max_examples=12, deadline=None, derandomize=True)
SEEDS = st.integers(0, 10_000)
REGRESSORS: list[tuple[str, dict[str, Any]]] = [
    ("linear-regression", {}),
    ("ridge", {"alpha": 0.7}),
    ("lasso", {"alpha": 0.1, "tol": 1e-10}),
    ("norm-constrained-regression", {"norm": "l2", "share": 0.4}),
    ("norm-constrained-regression", {"norm": "l1", "share": 0.4}),
    ("bridge", {"q": 1.0, "lam": 2.0}),
    ("bridge", {"q": 1.4, "lam": 2.0}),
    ("bridge", {"q": 2.0, "lam": 2.0}),
    ("bridge", {"q": 0.6, "lam": 2.0, "starts": 2}),
    ("penalised-risk", {"loss": "squared", "penalty": "l1", "lam": 3.0, "tol": 1e-10}),
    ("sparse-signal", {"alpha": 0.05, "tol": 1e-10}),
    ("delta-rule", {"max_iter": 20_000, "tol": 1e-11}),
    ("delta-rule", {"max_iter": 50, "tol": 0.0, "eta": 0.01}),
]
CLASSIFIERS: list[tuple[str, dict[str, Any]]] = [
    ("logistic-regression", {"tol": 1e-10}),
    ("bridge", {"q": 1.5, "lam": 1.0}),
    ("penalised-risk", {"loss": "squared", "lam": 1.0}),
    ("delta-rule", {"max_iter": 300}),
    ("delta-rule", {"max_iter": 50, "tol": 0.0, "eta": 0.01}),
]
ids = [f"{name}-{number}" for number, (name, _) in enumerate(REGRESSORS)]
class_ids = [f"{name}-{number}" for number, (name, _) in enumerate(CLASSIFIERS)]


def drawn(seed: int, rows: int = 25, columns: int = 3) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns)) * rng.uniform(0.5, 2, columns)
    return X, X @ rng.normal(size=columns) + rng.normal(size=rows) + 3


def fitted(name: str, given: dict[str, Any], X: Array, y: Array, weight: Array | None = None) -> Any:
    problem = "regression" if y.dtype.kind == "f" else "classification"
    model = build(name, given, seed=0, problem=problem)
    return model.fit(X, y) if weight is None else model.fit(X, y, sample_weight=weight)


def answers(model: Any, X: Array) -> Array:
    return np.asarray(model.predict_proba(X)[:, 1] if hasattr(model, "predict_proba") else model.predict(X))


@FEW
@given(SEEDS, st.integers(2, 6), st.integers(4, 30))
def test_ridge_with_a_penalty_near_zero_is_least_squares(seed: int, columns: int, rows: int) -> None:
    X, y = drawn(seed, rows, columns)
    plain, least = (fitted(*model, X, y) for model in (("linear-regression", {}), ("ridge", {"alpha": 1e-9})))
    if rows > columns + 1:
        assert least.coef_ == pytest.approx(plain.coef_, abs=1e-4)
    assert least.predict(X) == pytest.approx(plain.predict(X), abs=1e-4)


@pytest.mark.parametrize(("name", "parameters"), REGRESSORS, ids=ids)
@FEW
@given(seed=SEEDS)
def test_a_weight_of_two_is_a_row_twice(name: str, parameters: dict[str, Any], seed: int) -> None:
    X, y = drawn(seed)
    twice = np.random.default_rng(seed).random(len(y)) < 0.3
    # Lasso's penalty is of the mean over the rows, or over their weights: the same in both.
    weighed = fitted(name, parameters, X, y, 1.0 + twice)
    repeated = fitted(name, parameters, np.vstack([X, X[twice]]), np.append(y, y[twice]))
    assert answers(weighed, X) == pytest.approx(answers(repeated, X), abs=1e-5)


@pytest.mark.parametrize(("name", "parameters"), [*REGRESSORS, *CLASSIFIERS], ids=[*ids, *class_ids])
@FEW
@given(seed=SEEDS)
def test_the_order_of_rows_does_not_matter(name: str, parameters: dict[str, Any], seed: int) -> None:
    X, y = drawn(seed)
    if (name, parameters) in CLASSIFIERS:
        y = (y > np.median(y)).astype(int)
    order = np.random.default_rng(seed).permutation(len(y))
    straight, shuffled = fitted(name, parameters, X, y), fitted(name, parameters, X[order], y[order])
    assert answers(straight, X) == pytest.approx(answers(shuffled, X), abs=1e-5)


@pytest.mark.parametrize(("name", "parameters"), CLASSIFIERS, ids=class_ids)
@FEW
@given(seed=SEEDS)
def test_classifiers_count_a_weight_of_two_as_a_row_twice(name: str, parameters: dict[str, Any], seed: int) -> None:
    X, value = drawn(seed)
    y = (value > np.median(value)).astype(int)
    twice = np.random.default_rng(seed).random(len(y)) < 0.3
    weighed = fitted(name, parameters, X, y, 1.0 + twice)
    repeated = fitted(name, parameters, np.vstack([X, X[twice]]), np.append(y, y[twice]))
    assert answers(weighed, X) == pytest.approx(answers(repeated, X), abs=1e-5)


@FEW
@given(SEEDS, st.floats(1e-6, 1e6), st.floats(1e-6, 1e6))
def test_units_of_columns_and_of_the_target_do_not_matter_to_least_squares(
    seed: int, unit: float, money: float
) -> None:
    X, y = drawn(seed)
    plain = fitted("linear-regression", {}, X, y).predict(X)
    assert fitted("linear-regression", {}, X * unit, y * money).predict(X * unit) == pytest.approx(
        money * plain, rel=1e-6, abs=1e-6 * money
    )
    for share in (0.3, 0.8):  # a share of what least squares use has no unit, where all columns change theirs together
        given = {"norm": "l1", "share": share}
        small = fitted("norm-constrained-regression", given, X, y).predict(X)
        large = fitted("norm-constrained-regression", given, X * unit, y * money).predict(X * unit)
        assert large == pytest.approx(money * small, rel=1e-6, abs=1e-6 * money)
    for search in ("forward", "backward", "exact"):
        chosen = {"keep": 2, "search": search}
        kept = fitted("least-squares-subset", chosen, X, y).support_
        scaled = X * np.array([unit, 1.0, money])
        assert (fitted("least-squares-subset", chosen, scaled, y * money).support_ == kept).all()


@FEW
@given(SEEDS, st.floats(1e-3, 1e3))
def test_the_perceptron_s_border_has_no_unit(seed: int, unit: float) -> None:
    X, value = drawn(seed)
    y = (value > np.median(value)).astype(int)
    rule = {"max_iter": 20}
    ones = np.ones((len(X), 1))
    plain = fitted("perceptron", rule, np.hstack([X, ones]), y)
    longer = build("perceptron", {**rule, "eta": unit}, seed=0, problem="classification").fit(np.hstack([X, ones]), y)
    assert (plain.predict(np.hstack([X, ones])) == longer.predict(np.hstack([X, ones]))).all()
