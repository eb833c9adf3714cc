"""Kernels by name, and the distance of two rows in the space of a kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel, sigmoid_kernel

from penstock.errors import UsageError, did_you_mean

Matrix = NDArray[np.float64]


def gaussian(X: Any, Y: Any = None, *, gamma: float | None = None, width: float | None = None) -> Matrix:
    """exp(-gamma d²). Books also write exp(-d² / (2 width²)); by default gamma is one over the number of columns."""
    return rbf_kernel(X, Y, gamma=gamma if width is None else 1 / (2 * width**2))  # type: ignore[no-any-return]


def polynomial(X: Any, Y: Any = None, *, degree: int = 2, constant: float = 1.0) -> Matrix:
    """(x.y + constant)^degree; without the constant it is homogeneous, of degree 1 linear."""
    return polynomial_kernel(X, Y, degree=degree, gamma=1, coef0=constant)  # type: ignore[no-any-return]


def sigmoid(X: Any, Y: Any = None, *, slope: float = 1.0, constant: float = 0.0) -> Matrix:
    """tanh(slope x.y + constant): for many settings it has negative eigenvalues, so it is no kernel."""
    return sigmoid_kernel(X, Y, gamma=slope, coef0=constant)  # type: ignore[no-any-return]


def exponential(X: Any, Y: Any = None) -> Matrix:
    """exp(x.y); it has no bound, so scale rows to length one first."""
    found: Matrix = np.exp(_products(X, Y))
    return found


def geometric(X: Any, Y: Any = None) -> Matrix:
    """1 / (1 - x.y), for rows whose products lie between -1 and 1."""
    products = _products(X, Y)
    if np.abs(products).max(initial=0.0) >= 1:
        raise UsageError(
            "PEN335",
            f"the geometric kernel needs products of rows between -1 and 1; here one is {_widest(products):g}",
            where="kernel: geometric",
            remedy="scale rows to a length below one, or choose the gaussian kernel",
        )
    found: Matrix = 1 / (1 - products)
    return found


KERNELS: dict[str, Callable[..., Matrix]] = {
    "gaussian": gaussian,
    "polynomial": polynomial,
    "sigmoid": sigmoid,
    "exponential": exponential,
    "geometric": geometric,
}


def kernel(name: str, X: Any, Y: Any = None, **settings: Any) -> Matrix:
    if name not in KERNELS:
        raise UsageError(
            "PEN005", f"there is no kernel '{name}'", where="kernel", remedy=did_you_mean(name, list(KERNELS))
        )
    return KERNELS[name](X, Y, **settings)


def diagonal(name: str, X: Any, **settings: Any) -> Matrix:
    """K(x, x) of each row, without the matrix of rows by rows."""
    if name == "gaussian":
        return np.ones(len(X))
    return np.array([kernel(name, row[None], **settings)[0, 0] for row in np.asarray(X)])


def normalised(gram: Any) -> Matrix:
    """K(x, y) / sqrt(K(x, x) K(y, y)): the cosine of two rows in the space of the kernel; its diagonal is 1."""
    matrix = np.asarray(gram, dtype=np.float64)
    length = np.sqrt(np.diag(matrix))
    found: Matrix = matrix / np.outer(length, length)
    np.fill_diagonal(found, 1.0)
    return found


def squared_distance(cross: Any, own: Any = None, other: Any = None) -> Matrix:
    """K(x, x) + K(y, y) - 2 K(x, y): squared length in the space of the kernel, without ever going there.

    `cross` is a Gram matrix, or one of rows to other rows; then `own` and `other` are K of each row with itself.
    """
    matrix = np.asarray(cross, dtype=np.float64)
    left = np.diag(matrix) if own is None else np.asarray(own)
    right = np.diag(matrix) if other is None else np.asarray(other)
    found: Matrix = np.maximum(left[:, None] + right[None] - 2 * matrix, 0.0)
    return found


def _products(X: Any, Y: Any) -> Matrix:
    left = np.asarray(X, dtype=np.float64)
    products: Matrix = left @ (left if Y is None else np.asarray(Y, dtype=np.float64)).T
    return products


def _widest(products: Matrix) -> float:
    return float(products.flat[np.abs(products).argmax()])
