"""Kernels by name, and what can be made of them: sums, products, multiples and normalised ones.

A kernel is said in words, as `rbf`, `rbf + 0.5 * linear` or `normalised(exponential)`: sums, positive multiples and
products of kernels are kernels, and so is a kernel divided by the root of both diagonals. (The rule on a kernel of
mapped rows is about any third kernel, not about the first one again, as some notes print: map the rows in a step
before.)

| name | K(x, z) |
|---|---|
| linear | x.z |
| poly | (gamma x.z + coef0) ** degree; books have gamma 1 and coef0 1, or any coef0 >= 0 |
| rbf | exp(-gamma |x - z|²) |
| laplacian | exp(-gamma |x - z|₁) |
| sigmoid | tanh(gamma x.z + coef0), which is a kernel for some parameters only |
| exponential | exp(gamma x.z), which has no bound: normalise it, or the rows |
| geometric | 1 / (1 - gamma x.z), for |gamma x.z| < 1 on both sides (one book prints x.z < 1, which is not enough) |
| cosine | x.z / (|x| |z|) |
| precomputed | the table holds the kernel itself: a row for each row asked about, a column for each training row |
| precomputed-columns | so it does, for things of which every training row is one: the one it is most alike to |

In a pipeline file `precomputed` means the last: there are rows, and never a square.

Books state the width of the Gaussian as exp(-gamma d²), exp(-d² / (2 sigma²)) or exp(-d² / sigma²): `gamma_of` leads
from sigma to gamma.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse
from sklearn import config_context
from sklearn.metrics import pairwise

from penstock.components.kernels.columns import AS_COLUMNS, kernel_of_columns
from penstock.errors import did_you_mean

Array = np.ndarray[Any, Any]

NAMES = ("linear", "poly", "rbf", "laplacian", "sigmoid", "exponential", "geometric", "cosine")
LINEAR = "linear"
PRECOMPUTED = "precomputed"
GIVEN = (PRECOMPUTED, AS_COLUMNS)
NORMALISED = "normalised"
MAX_EXPONENT = 700.0  # of e, in double precision
ROUNDING = 1e-15  # of a mean
UNSAID: Any = {"over": "ignore", "invalid": "ignore"}  # of numbers that are then refused


def gamma_of(sigma: float, *, halved: bool = True) -> float:
    """The gamma of exp(-d² / (2 sigma²)), or, not halved, of exp(-d² / sigma²)."""
    return 1 / ((2 if halved else 1) * sigma**2)


def middle_of(X: Any) -> Array:
    """The medians of the columns, which no outlier moves; zeros of a sparse table, which has to keep its zeros."""
    return np.zeros(X.shape[1]) if issparse(X) else np.median(X, axis=0)


def by_name(model: Any, X: Any) -> Any:
    """Checked rows under the names that the model was given: a class of the library that checks again finds them."""
    names = getattr(model, "feature_names_in_", None)
    return X if names is None else pd.DataFrame(X, columns=names)


def resolve_gamma(gamma: str | float, X: Array, weights: Array | None = None) -> float:
    """`scale`: one over the columns times the variance of all values; `auto`: one over the columns."""
    if not isinstance(gamma, str):
        return float(gamma)
    if gamma == "auto":
        return 1 / int(X.shape[1])
    mean = np.average(X.mean(axis=1), weights=weights)
    spread = float(np.average(((X - mean) ** 2).mean(axis=1), weights=weights))
    # Where the square of a value is no number any more, or nothing but what a mean is rounded by, any width is as good.
    nothing = max(np.finfo(float).tiny, float(mean * ROUNDING) ** 2)
    return 1 / (int(X.shape[1]) * spread) if spread > nothing else 1.0


def finite_kernel(values: Array, kernel: object) -> Array:
    """Refuse the kernel of rows so large that it is no number, in scikit-learn's words."""
    if not np.isfinite(values).all():
        raise ValueError(f"Input X contains a value too large for dtype('float64') in the kernel '{kernel}'")
    return values


@dataclass(frozen=True)
class Kernel:
    """A kernel with its parameters; called with two tables, the matrix of their rows."""

    words: str = "rbf"
    gamma: float = 1.0
    degree: float = 3
    coef0: float = 0.0

    def __call__(self, X: Array, Z: Array | None = None) -> Array:
        if self.words == PRECOMPUTED:
            return X
        if self.words == AS_COLUMNS:
            return kernel_of_columns(X, Z)
        # Estimators have checked the rows already.
        with config_context(assume_finite=True, skip_parameter_validation=True), np.errstate(**UNSAID):
            matrix = self._matrix(parse_kernel(self.words), X, X if Z is None else Z)
        return finite_kernel(matrix, self.words)

    def diagonal(self, X: Array) -> Array:
        """K(x, x) of every row, without the matrix."""
        with np.errstate(**UNSAID):
            return finite_kernel(self._diagonal(parse_kernel(self.words), X), self.words)

    def _matrix(self, node: ast.expr, X: Array, Z: Array) -> Array:
        def part(node: ast.Name | ast.Call) -> Array:
            if isinstance(node, ast.Name):
                return self._named(node.id, X, Z)
            inner = node.args[0]
            if isinstance(inner, ast.Name) and inner.id == "exponential":
                return self._of_distances(X, Z, self.gamma / 2)  # the same, and never too large
            scale = np.sqrt(np.outer(self._diagonal(inner, X), self._diagonal(inner, Z)))
            return self._matrix(inner, X, Z) / np.where(scale > 0, scale, 1.0)

        return _folded(node, part)

    def _diagonal(self, node: ast.expr, X: Array) -> Array:
        squares = np.einsum("ij,ij->i", X, X)

        def part(node: ast.Name | ast.Call) -> Array:
            return self._of_product(node.id, squares) if isinstance(node, ast.Name) else np.ones(len(X))

        return _folded(node, part)

    def _named(self, name: str, X: Array, Z: Array) -> Array:
        if name == "rbf":
            return self._of_distances(X, Z, self.gamma)
        if name == "laplacian":
            return np.asarray(pairwise.laplacian_kernel(X, Z, gamma=self.gamma))
        if name == "cosine":
            return np.asarray(pairwise.cosine_similarity(_of_one_size(X), _of_one_size(Z)))
        return self._of_product(name, np.asarray(pairwise.linear_kernel(X, Z)))

    @staticmethod
    def _of_distances(X: Array, Z: Array, gamma: float) -> Array:
        """Of rows around their middle, which are as far apart and have more digits for it."""
        middle = middle_of(Z)
        near = Z - middle
        return np.asarray(pairwise.rbf_kernel(near if X is Z else X - middle, near, gamma=gamma))

    def _of_product(self, name: str, product: Array) -> Array:
        """Kernels that are functions of x.z; on the diagonal the others are one."""
        if name in ("rbf", "laplacian", "cosine"):
            return np.ones_like(product)
        if name == "linear":
            return product
        scaled = self.gamma * product
        if name == "poly":
            return np.asarray((scaled + self.coef0) ** self.degree)
        if name == "sigmoid":
            return np.tanh(scaled + self.coef0)
        if name == "exponential":
            if scaled.size and scaled.max() > MAX_EXPONENT:
                raise ValueError(
                    "the exponential kernel of these rows is too large a number: scale rows to unit length first, or "
                    f"take '{NORMALISED}(exponential)'"
                )
            return np.exp(scaled)
        if scaled.size and np.abs(scaled).max() >= 1:
            raise ValueError(
                f"the geometric kernel needs |gamma x.z| < 1, but it reaches {np.abs(scaled).max():.3g}: scale rows to "
                "unit length first, and take a gamma below 1"
            )
        return np.asarray(1 / (1 - scaled))


def _of_one_size(X: Array) -> Array:
    """Rows whose largest number is 1: the library takes tiny rows for zeros."""
    largest = np.abs(X).max(axis=1, keepdims=True)
    return np.asarray(X / np.where(largest > 0, largest, 1.0))


def _folded(node: ast.expr, part: Callable[[ast.Name | ast.Call], Array]) -> Array:
    """Sums and products of whatever the parts stand for."""
    if isinstance(node, ast.Name | ast.Call):
        return part(node)
    if isinstance(node, ast.Constant):
        return np.asarray(node.value, dtype=float)
    assert isinstance(node, ast.BinOp)
    left, right = _folded(node.left, part), _folded(node.right, part)
    return np.asarray(left + right if isinstance(node.op, ast.Add) else left * right)


def parse_kernel(words: str) -> ast.expr:
    """The kernel that the words say, or a ValueError that says what is wrong with them."""
    try:
        tree = ast.parse(words, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"'{words}' is no kernel: {_HELP}") from None
    _check(tree, words)
    if not any(isinstance(node, ast.Name) and node.id in NAMES for node in ast.walk(tree)):
        raise ValueError(f"'{words}' is a number and no kernel: {_HELP}")
    return tree


_HELP = f"say a name, a sum or a product of kernels, or {NORMALISED}(...); names are {', '.join(NAMES)}"


def _check(node: ast.AST, words: str) -> None:
    if isinstance(node, ast.Name):
        if node.id not in NAMES:
            raise ValueError(f"there is no kernel named '{node.id}'; {did_you_mean(node.id, NAMES)}")
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mult):
        if isinstance(node.op, ast.Add) and ast.Constant in (type(node.left), type(node.right)):
            raise ValueError(f"'{words}' adds a number to a kernel: multiply by it, or use coef0")
        _check(node.left, words)
        _check(node.right, words)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == NORMALISED:
        if len(node.args) != 1 or node.keywords:
            raise ValueError(f"'{words}' is no kernel: {_HELP}")
        _check(node.args[0], words)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float) and node.value > 0:
        return
    else:
        raise ValueError(f"'{words}' is no kernel: {_HELP}; a kernel is multiplied by positive numbers only")
