"""Columns far from zero, and targets in other units: the same problem, with the same answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock.components.catalog import build
from penstock.components.kernels.kernel import Kernel
from tests.components.test_bad_input import rows

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]


def test_a_target_in_any_unit() -> None:
    X, y = rows("regression")
    for name in ("svr", "kernel-machine"):
        plain = build(name, {}, seed=0, problem="regression").fit(X, y).predict(X)
        for unit in (1e-8, 1e8):
            found = build(name, {}, seed=0, problem="regression").fit(X, y * unit).predict(X)
            assert found / unit == pytest.approx(plain, rel=1e-9)


@pytest.mark.parametrize("far", [1e6, 1e9])
@pytest.mark.parametrize(
    ("name", "problem", "given"),
    [
        ("svr", "regression", {}),
        ("svr", "regression", {"kernel": "linear"}),
        ("kernel-ridge", "regression", {}),
        ("kernel-machine", "regression", {}),
        ("kernel-machine", "classification", {}),
        ("kernel-neighbours", "regression", {}),
        ("bridge", "classification", {}),
        ("penalised-risk", "classification", {}),
        ("penalised-risk", "classification", {"loss": "logistic"}),
        ("penalised-risk", "classification", {"loss": "squared"}),
        ("known-densities", "classification", {}),
        ("rbf-svm", "classification", {}),
        ("svm", "classification", {}),
        ("svm", "classification", {"solver": "exact"}),
        ("svm", "classification", {"solver": "smo"}),
    ],
)
def test_it_is_the_same_problem_wherever_zero_is(name: str, problem: str, given: dict[str, Any], far: float) -> None:
    X, y = rows(problem)
    X = np.round(X * 2**10) / 2**10  # so that no digit is lost on the way
    ask = "predict_proba" if problem == "classification" else "predict"
    near, there = (
        getattr(build(name, given, seed=0, problem=problem).fit(rows_at[:30], y[:30]), ask)(rows_at[30:])
        for rows_at in (X, X + far)
    )
    assert there == pytest.approx(near, abs=1e-5 if far < 1e8 else 1e-2)


def test_the_delta_rule_reaches_a_target_far_from_zero() -> None:
    X, y = rows("regression")
    near, there = (build("delta-rule", {}, seed=0, problem="regression").fit(X, y + far) for far in (0.0, 1e9))
    assert there.predict(X) - 1e9 == pytest.approx(near.predict(X), abs=1e-5)


@pytest.mark.parametrize("words", ["rbf", "laplacian", "normalised(exponential)"])
def test_kernels_of_distances_keep_their_digits(words: str) -> None:
    X = np.round(rows("regression")[0] * 2**10) / 2**10
    assert Kernel(words)(X[:9] + 1e9, X + 1e9) == pytest.approx(Kernel(words)(X[:9], X), abs=1e-9)


def test_one_outlier_takes_no_digits_from_the_others() -> None:
    X = np.vstack([rows("regression")[0], np.full((1, 4), 1e12)])
    assert Kernel("rbf")(X)[:-1, :-1] == pytest.approx(Kernel("rbf")(X[:-1]), abs=1e-9)
