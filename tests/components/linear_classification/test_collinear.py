"""Least squares of labels where columns follow from each other, or are more than the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock.components.catalog import build

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]
FREE: tuple[dict[str, Any], ...] = ({"penalty": "none"}, {"lam": 0}, {"penalty": "l1", "lam": 0})


def least_squares(X: Array, y: Array, weight: Array | None = None, **given: Any) -> Any:
    model = build("penalised-risk", {"loss": "squared", **given}, seed=0, problem="classification")
    return model.fit(X, y, sample_weight=weight)


def rows(classes: int = 2) -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) + 5
    return np.c_[X, X[:, 0] + X[:, 1]], np.arange(60) % classes


def shortest(X: Array, labels: Array) -> Array:
    found: Array = np.linalg.pinv(X - X.mean(axis=0)) @ (labels - labels.mean(axis=0))
    return found


@pytest.mark.parametrize("free", FREE)
def test_of_all_best_weights_the_shortest_are_taken(free: dict[str, Any]) -> None:
    X, y = rows()
    found = least_squares(X, y, **free)
    assert found.coef_[0] == pytest.approx(shortest(X, 2.0 * y - 1), abs=1e-9)
    through_zero = least_squares(X, y, fit_intercept=False, **free)
    assert through_zero.coef_[0] == pytest.approx(np.linalg.pinv(X) @ (2.0 * y - 1), abs=1e-9)


def test_each_of_several_classes_has_them() -> None:
    X, y = rows(classes=3)
    found = least_squares(X, y, penalty="none")
    assert found.coef_ == pytest.approx(shortest(X, 2.0 * np.eye(3)[y] - 1).T, abs=1e-9)


def test_a_weight_of_two_is_a_row_twice() -> None:
    X, y = rows()
    weight = np.where(np.arange(len(y)) < 20, 2.0, 1.0)
    twice = np.repeat(np.arange(len(y)), weight.astype(int))
    found, repeated = least_squares(X, y, weight, penalty="none"), least_squares(X[twice], y[twice], penalty="none")
    assert found.coef_ == pytest.approx(repeated.coef_, abs=1e-9)
    assert found.intercept_ == pytest.approx(repeated.intercept_, abs=1e-8)


def test_more_columns_than_rows_are_met_exactly() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(10, 40)), np.arange(10) % 2
    found = least_squares(X, y, penalty="none")
    assert found.coef_[0] == pytest.approx(shortest(X, 2.0 * y - 1), abs=1e-9)
    assert found.decision_function(X) == pytest.approx(2.0 * y - 1, abs=1e-9)
