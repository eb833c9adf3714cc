"""Tables that several families are measured on."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.datasets import make_classification, make_regression

Array = np.ndarray[Any, Any]


def two_classes(rows: int, columns: int) -> tuple[Array, Array]:
    X, y = make_classification(rows, columns, n_informative=5, flip_y=0.1, random_state=0)
    return X, y


def five_classes(rows: int, columns: int) -> tuple[Array, Array]:
    X, y = make_classification(rows, columns, n_informative=5, n_classes=5, flip_y=0.1, random_state=0)
    return X, y


def numbers(rows: int, columns: int) -> tuple[Array, Array]:
    X, y = make_regression(rows, columns, noise=5.0, random_state=0)
    return X, y


def counts(rows: int, columns: int) -> tuple[Array, Array]:
    """Words of a text by how often they occur."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, rows)
    X = rng.poisson(1 + np.outer(y, np.arange(columns) % 3))
    return X.astype(float), y


def levels(rows: int, columns: int) -> tuple[Array, Array]:
    """Four levels a column."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (rows, columns)).astype(float)
    return X, (X[:, :3].sum(axis=1) + rng.normal(scale=2, size=rows) > 4.5).astype(int)
