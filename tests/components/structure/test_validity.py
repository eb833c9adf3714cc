from __future__ import annotations

import numpy as np
import pytest

from penstock.components.structure.validity import density_validity


def rings(rows: int = 200) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    inner = np.repeat([True, False], rows // 2)
    angle, radius = rng.uniform(0, 2 * np.pi, rows), np.where(inner, 1.0, 4.0) + rng.normal(0, 0.1, rows)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), inner.astype(int)


def test_by_hand() -> None:
    X, labels = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]), np.repeat([0, 1], 3)
    # With one neighbour every way to it is 1, as are the links inside; the nearest way across is 8.
    assert density_validity(X, labels, neighbours=1) == pytest.approx((8 - 1) / 8)
    assert density_validity(X, 1 - labels, neighbours=1) == pytest.approx((8 - 1) / 8)


def test_noise_counts_as_nothing() -> None:
    X, labels = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0], [6.0], [6.5]]), np.repeat([0, 1, -1], [3, 3, 2])
    assert density_validity(X, labels, neighbours=1) == pytest.approx(6 / 8 * (8 - 1) / 8)


def test_rings_are_valid_and_halves_of_them_are_not() -> None:
    X, truth = rings()
    halves = (X[:, 0] > 0).astype(int)
    planted, split = density_validity(X, truth), density_validity(X, halves)
    assert planted is not None
    assert split is not None
    assert planted > 0.5 > 0.0 > split


def test_one_cluster_has_no_validity_and_equal_rows_do_not_divide_by_zero() -> None:
    X = np.zeros((6, 2))
    assert density_validity(X, np.zeros(6, dtype=int)) is None
    assert density_validity(X, np.full(6, -1)) is None
    assert density_validity(X, np.array([0, 0, 0, 1, 1, 1])) == 0.0
    assert density_validity(np.arange(4.0).reshape(-1, 1), np.array([0, 1, 1, 1])) is not None
