"""Maps whose inner products are a kernel: exactly, nearly, or by chance."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement
from math import comb
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from scipy.special import gammaln
from sklearn.kernel_approximation import Nystroem, PolynomialCountSketch, RBFSampler
from sklearn.preprocessing import PolynomialFeatures
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from penstock.components.bases.base import Basis
from penstock.components.centring import mean_of

Array = np.ndarray[Any, Any]

MAX_COLUMNS = 100_000


class ExplicitKernelMap(Basis):
    """Products of powers of the columns, with weights that make their inner product the kernel.

    Of `poly`, (gamma x.z + coef0) ** degree, the map is exact: sqrt(multinomial * coef0 ** k0) * product of powers, of
    which there are C(columns + degree, degree). (A book that prints coef0 ** k0 outside the root means inside.) Others
    have endless maps, cut off after `degree`: rbf, exp(-gamma |x|²) sqrt((2 gamma) ** p / product of b!) x ** b
    (printed with a sum and a coef0 that do not belong there); exponential, sqrt(gamma ** p / product of b!) x ** b;
    geometric, sqrt(gamma ** p p! / product of b!) x ** b, p being the sum of the powers b.

    Parameters
    ----------
    kernel : {"poly", "rbf", "exponential", "geometric"}, default="poly"
        The kernel.
    degree : int, default=2
        Degree of the polynomial; of the others the order after which the map is cut off.
    gamma : float, default=1.0
        Coefficient of the kernel.
    coef0 : float, default=1.0
        Constant of the polynomial, not negative. With 0, products of that degree alone are left: (x1², sqrt2 x1 x2,
        x2²).

    Attributes
    ----------
    powers_ : PolynomialFeatures
        The products of powers.
    weights_ : ndarray
        Weight of each product of powers.

    Examples
    --------
    >>> from penstock.components.kernels.maps import ExplicitKernelMap
    >>> x, z = ExplicitKernelMap(degree=2).fit_transform([[1.0, 2.0], [3.0, 1.0]])
    >>> round(float(x @ z), 6)  # (1 * 3 + 2 * 1 + 1) ** 2
    36.0
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "kernel": [StrOptions({"poly", "rbf", "exponential", "geometric"})],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "gamma": [Interval(Real, 0, None, closed="neither")],
        "coef0": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, kernel: str = "poly", degree: int = 2, gamma: float = 1.0, coef0: float = 1.0) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0

    def _learn(self, X: Array) -> None:
        columns = comb(X.shape[1] + self.degree, self.degree)
        if columns > MAX_COLUMNS:
            raise ValueError(
                f"{X.shape[1]} columns have {columns:,} products of degree {self.degree}, and {MAX_COLUMNS:,} are the "
                "most: take a smaller degree, or the kernel itself"
            )
        self.powers_ = PolynomialFeatures(self.degree).fit(X)
        weights = self._weights(_powers(X.shape[1], self.degree))
        self.kept_ = np.flatnonzero(weights)
        self.weights_ = weights[self.kept_]

    def _weights(self, powers: Array) -> Array:
        total = powers.sum(axis=1)
        rest = self.degree - total
        log_square = total * np.log(2 * self.gamma if self.kernel == "rbf" else self.gamma)
        log_square = log_square - gammaln(np.arange(self.degree + 1) + 1)[powers].sum(axis=1)
        if self.kernel == "poly":
            log_square += gammaln(self.degree + 1) - gammaln(rest + 1)
            return np.asarray(np.exp(log_square / 2) * self.coef0 ** (rest / 2))
        if self.kernel == "geometric":
            log_square += gammaln(total + 1)
        return np.asarray(np.exp(log_square / 2))

    def _expand(self, X: Array) -> Array:
        made = self.powers_.transform(X)
        if len(self.kept_) < made.shape[1]:
            made = made[:, self.kept_]
        made *= self.weights_
        if self.kernel == "rbf":
            made *= np.exp(-self.gamma * np.einsum("ij,ij->i", X, X))[:, None]
        return np.asarray(made)

    def _names(self, columns: Array) -> list[str]:
        return [str(name) for name in self.powers_.get_feature_names_out(columns)[self.kept_]]


def _powers(columns: int, degree: int) -> Array:
    """`powers_` of PolynomialFeatures, which counts one product after the other."""
    found = []
    for factors in range(degree + 1):
        chosen = np.array(list(combinations_with_replacement(range(columns), factors)), dtype=np.intp)
        powers = np.zeros((len(chosen), columns), dtype=np.intp)
        for one in chosen.T:
            powers[np.arange(len(chosen)), one] += 1
        found.append(powers)
    return np.concatenate(found)


class ApproximateKernelMap(Basis):
    """Columns whose inner products approximate a kernel, so that a linear model does without the matrix of rows.

    Parameters
    ----------
    by : {"points", "waves", "sketch"}, default="points"
        Kernel values with drawn training rows (Nystroem), for any of the kernels; random Fourier features, for rbf
        alone, with an error that falls by the root of their number; a random sketch of products, for poly alone.
    kernel : {"rbf", "poly", "laplacian", "sigmoid", "linear", "cosine"}, default="rbf"
        The kernel.
    components : int, default=100
        Number of columns; with "points" no more than training rows.
    gamma : float or None, default=None
        Coefficient of the kernel; None takes one over the number of columns.
    degree : int, default=3
        Degree of the kernel "poly".
    coef0 : float, default=1.0
        Constant of the kernels "poly" and "sigmoid".
    random_state : int, RandomState instance or None, default=None
        Seed of the points, waves or sketch.

    Attributes
    ----------
    middle_ : ndarray of shape (n_features_in_,)
        What is subtracted from rows first: the means where rbf sees distances alone, which lose digits far from zero.
    map_ : Nystroem, RBFSampler or PolynomialCountSketch
        The fitted map.

    Examples
    --------
    >>> from penstock.components.kernels.maps import ApproximateKernelMap
    >>> X = [[0.0], [1.0], [2.0]]
    >>> mapped = ApproximateKernelMap(components=3, gamma=1.0, random_state=0).fit_transform(X)
    >>> (mapped @ mapped.T).round(2).tolist()
    [[1.0, 0.37, 0.02], [0.37, 1.0, 0.37], [0.02, 0.37, 1.0]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "by": [StrOptions({"points", "waves", "sketch"})],
        "kernel": [StrOptions({"rbf", "poly", "laplacian", "sigmoid", "linear", "cosine"})],
        "components": [Interval(Integral, 1, None, closed="left")],
        "gamma": [Interval(Real, 0, None, closed="neither"), None],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        by: str = "points",
        kernel: str = "rbf",
        components: int = 100,
        gamma: float | None = None,
        degree: int = 3,
        coef0: float = 1.0,
        random_state: Any = None,
    ) -> None:
        self.by = by
        self.kernel = kernel
        self.components = components
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.random_state = random_state

    def _learn(self, X: Array) -> None:
        only = {"waves": "rbf", "sketch": "poly"}.get(self.by, self.kernel)
        if self.kernel != only:
            raise ValueError(
                f"by='{self.by}' stands for the kernel '{only}' alone, not for '{self.kernel}': by='points'"
            )
        gamma = self.gamma or 1 / X.shape[1]
        drawn = {"n_components": self.components, "random_state": self.random_state}
        if self.by == "points":
            drawn["n_components"] = min(self.components, len(X))
            given: dict[str, Any] = {}
            if self.kernel in ("rbf", "laplacian", "poly", "sigmoid"):
                given["gamma"] = gamma
            if self.kernel in ("poly", "sigmoid"):
                given["coef0"] = self.coef0
            if self.kernel == "poly":
                given["degree"] = self.degree
            self.map_: Any = Nystroem(kernel=self.kernel, **given, **drawn)
        elif self.by == "waves":
            self.map_ = RBFSampler(gamma=gamma, **drawn)
        else:
            self.map_ = PolynomialCountSketch(gamma=gamma, degree=self.degree, coef0=self.coef0, **drawn)
        near = self.by == "points" and self.kernel == "rbf"
        self.middle_ = mean_of(X) if near else np.zeros(X.shape[1])
        self.map_.fit(X - self.middle_)

    def _expand(self, X: Array) -> Array:
        return np.asarray(self.map_.transform(X - self.middle_))

    def _names(self, columns: Array) -> list[str]:
        return [f"{self.kernel} {number + 1}" for number in range(len(self.map_.get_feature_names_out()))]


_ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "sign": lambda values: np.where(values >= 0, 1.0, -1.0),
    "relu": lambda values: np.maximum(values, 0.0),
    "tanh": np.tanh,
    "cosine": np.cos,
}


class RandomFeatures(Basis):
    """Random features sigma(F.x) / sqrt(D) of D random directions F: a network with an untrained first layer.

    Inner products tend to a kernel as D grows; of `sign` it is 1 - 2 theta / pi, theta being the angle of two rows.
    That takes the division by D, which one of the notes leaves out, so that its sum has no limit. With D beyond the
    training rows, least squares without a penalty takes the smallest of all weights that fit (see `penstock diagnose
    capacity` for the peak at D = rows). A mean loss with penalty lambda is ridge with alpha = rows * lambda.

    Parameters
    ----------
    components : int, default=200
        D, usually more than columns and fewer than rows.
    activation : {"sign", "relu", "tanh", "cosine"}, default="relu"
        The activation function sigma.
    spread : float, default=1.0
        Variance of each weight of F.
    random_state : int, RandomState instance or None, default=None
        Seed of F.

    Attributes
    ----------
    directions_ : ndarray of shape (n_features_in_, components)
        The directions F.

    Examples
    --------
    >>> from penstock.components.kernels.maps import RandomFeatures
    >>> features = RandomFeatures(components=1000, activation="sign", random_state=0)
    >>> x, z = features.fit_transform([[1.0, 0.0], [0.0, 1.0]])
    >>> round(float(x @ x), 6), round(abs(float(x @ z)), 1)
    (1.0, 0.0)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "components": [Interval(Integral, 1, None, closed="left")],
        "activation": [StrOptions(set(_ACTIVATIONS))],
        "spread": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
    }

    def __init__(
        self, components: int = 200, activation: str = "relu", spread: float = 1.0, random_state: Any = None
    ) -> None:
        self.components = components
        self.activation = activation
        self.spread = spread
        self.random_state = random_state

    def _learn(self, X: Array) -> None:
        rng = check_random_state(self.random_state)
        self.directions_ = rng.normal(scale=np.sqrt(self.spread), size=(X.shape[1], self.components))

    def _expand(self, X: Array) -> Array:
        return np.asarray(_ACTIVATIONS[self.activation](X @ self.directions_) / np.sqrt(self.components))

    def _names(self, columns: Array) -> list[str]:
        return [f"{self.activation} {number + 1}" for number in range(self.components)]
