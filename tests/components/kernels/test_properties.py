"""What must hold of any table for methods with a kernel: drawn, not chosen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.components.catalog import build

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]
FEW = settings(max_examples=8, deadline=None, derandomize=True)
SEEDS = st.integers(0, 10_000)
REGRESSORS: list[tuple[str, dict[str, Any]]] = [
    ("kernel-ridge", {"alpha": 0.5, "gamma": 0.3}),
    ("kernel-ridge", {"alpha": 0.5, "kernel": "rbf + 0.5 * linear"}),
    ("kernel-machine", {"loss": "square", "penalty": 0.5}),
    ("kernel-machine", {"loss": "huber", "penalty": 0.5, "kernel": "poly", "degree": 2}),
    ("kernel-machine", {"loss": "absolute", "penalty": 0.5}),
    ("svr", {"tol": 1e-9, "C": 2.0}),
]
ids = [f"{name}-{given.get('loss', given.get('kernel', ''))}" for name, given in REGRESSORS]


def drawn(seed: int, rows: int = 24) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3)) * rng.uniform(0.5, 2, 3) + rng.normal(size=3)
    return X, np.sin(X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=rows) + 3


def fitted(name: str, given: dict[str, Any], X: Array, y: Array, weights: Array | None = None) -> Any:
    problem = "regression" if y.dtype.kind == "f" else "classification"
    model = build(name, given, seed=0, problem=problem)
    return model.fit(X, y) if weights is None else model.fit(X, y, sample_weight=weights)


@pytest.mark.parametrize(("name", "parameters"), REGRESSORS, ids=ids)
@FEW
@given(seed=SEEDS)
def test_the_order_of_rows_does_not_matter(name: str, parameters: dict[str, Any], seed: int) -> None:
    X, y = drawn(seed)
    order = np.random.default_rng(seed).permutation(len(y))
    straight, shuffled = (fitted(name, parameters, X[rows], y[rows]) for rows in (np.arange(len(y)), order))
    assert shuffled.predict(X) == pytest.approx(straight.predict(X), abs=1e-6)


@pytest.mark.parametrize(("name", "parameters"), REGRESSORS, ids=ids)
@FEW
@given(seed=SEEDS)
def test_a_weight_of_two_is_a_row_twice(name: str, parameters: dict[str, Any], seed: int) -> None:
    X, y = drawn(seed)
    times = np.random.default_rng(seed).integers(0, 3, len(y))
    times[:3] = 1
    weighed = fitted(name, parameters, X, y, times.astype(float))
    repeated = fitted(name, parameters, np.repeat(X, times, axis=0), np.repeat(y, times))
    assert weighed.predict(X) == pytest.approx(repeated.predict(X), abs=1e-6)


@pytest.mark.parametrize(("name", "parameters"), REGRESSORS, ids=ids)
@FEW
@given(SEEDS, st.floats(1e-6, 1e6), st.floats(-9, 9))
def test_the_target_has_no_unit_and_no_zero(
    name: str, parameters: dict[str, Any], seed: int, unit: float, level: float
) -> None:
    X, y = drawn(seed)
    plain, other = fitted(name, parameters, X, y), fitted(name, parameters, X, (y + level) * unit)
    assert other.predict(X) / unit - level == pytest.approx(plain.predict(X), abs=1e-6)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("kernel-machine", {"loss": "absolute"}),
        ("svr", {}),
        ("kernel-machine", {"loss": "logistic"}),
        ("svm", {"solver": "exact", "folds": 2}),
        ("kernel-perceptron", {"folds": 2}),
    ],
    ids=lambda one: one if isinstance(one, str) else one.get("loss", ""),
)
@FEW
@given(SEEDS, st.floats(1e-6, 1e6))
def test_a_width_by_the_spread_has_no_unit(name: str, parameters: dict[str, Any], seed: int, unit: float) -> None:
    """Where all columns change theirs together."""
    X, y = drawn(seed)
    classes = name in ("svm", "kernel-perceptron") or parameters.get("loss") == "logistic"
    y = (y > np.median(y)).astype(int) if classes else y
    asked = "predict_proba" if classes else "predict"
    plain, other = fitted(name, parameters, X, y), fitted(name, parameters, unit * X, y)
    assert getattr(other, asked)(unit * X) == pytest.approx(getattr(plain, asked)(X), abs=1e-6)


@FEW
@given(seed=SEEDS, log_penalty=st.floats(-3, 3))
def test_the_linear_kernel_is_ridge_and_without_a_penalty_least_squares(seed: int, log_penalty: float) -> None:
    X, y = drawn(seed)
    penalty = 10**log_penalty
    plain: dict[str, Any] = {"fit_intercept": False}
    ridge = fitted("ridge", {"alpha": penalty, **plain}, X, y).coef_
    for name, called in (("kernel-ridge", "alpha"), ("kernel-machine", "penalty")):
        linear: dict[str, Any] = {"kernel": "linear", **plain}
        assert fitted(name, {called: penalty, **linear}, X, y).predict(X) == pytest.approx(X @ ridge, abs=1e-8)
        few = fitted(name, {called: 1e-9, **linear}, X[:2], y[:2])  # fewer rows than columns
        assert few.predict(X) == pytest.approx(X @ np.linalg.pinv(X[:2]) @ y[:2], abs=1e-5)


@FEW
@given(seed=SEEDS, unit=st.floats(1e-3, 1e3))
def test_the_mistakes_of_a_straight_perceptron_have_no_unit(seed: int, unit: float) -> None:
    X, y = drawn(seed)
    side = (y > np.median(y)).astype(int)
    given_: dict[str, Any] = {"kernel": "linear", "passes": 10}
    plain, other = (fitted("kernel-perceptron", given_, table, side).machine_ for table in (X, unit * X))
    assert other.mistakes_[0].tolist() == plain.mistakes_[0].tolist()
