"""Bases against scikit-learn's, on standardised columns where ours standardises."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer, PolynomialFeatures, SplineTransformer, StandardScaler

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import numbers
from penstock.components.bases.functions import FunctionBasis
from penstock.components.bases.polynomial import PolynomialBasis
from penstock.components.bases.radial import RadialBasis
from penstock.components.bases.spline import SplineBasis

COMPONENTS = 50


def _monomials(degree: int, interaction_only: bool = False) -> Any:
    features = PolynomialFeatures(degree, include_bias=False, interaction_only=interaction_only)
    return make_pipeline(StandardScaler(), features)


def _powers_of_one(rows: int, columns: int) -> tuple[Any, Any]:
    """The only table whose powers PolynomialFeatures gives without products."""
    X, y = numbers(rows * columns, 1)
    return X, y


def _spline() -> Any:
    return SplineTransformer(n_knots=5, knots="quantile", extrapolation="linear", include_bias=False)


def _bent(X: Any) -> Any:
    angles = 2 * np.pi * X / np.ptp(X, axis=0)
    return np.hstack([X, X**2, np.sign(X) * np.log1p(np.abs(X)), np.sin(angles), np.cos(angles)])


def _beside(kernel_map: Any) -> Any:
    nearness = make_pipeline(StandardScaler(), kernel_map(gamma=0.1, n_components=COMPONENTS, random_state=0))
    return make_union(FunctionTransformer(), nearness)


PAIRS = (
    Pair("polynomial, degree 2", PolynomialBasis, partial(_monomials, 2), numbers),
    Pair("polynomial, degree 3", partial(PolynomialBasis, 3), partial(_monomials, 3), numbers, columns=5),
    Pair("polynomial, products", partial(PolynomialBasis, 2, "products"), partial(_monomials, 2, True), numbers),
    Pair("polynomial, powers", partial(PolynomialBasis, 3, "powers"), partial(_monomials, 3), _powers_of_one),
    Pair("spline", SplineBasis, _spline, numbers),
    Pair(
        "functions",
        partial(FunctionBasis, logs=True, waves=1),
        partial(FunctionTransformer, _bent, validate=True),
        numbers,
        rows=20_000,
    ),
    Pair(
        "radial, points",
        partial(RadialBasis, COMPONENTS, gamma=0.1, random_state=0),
        partial(_beside, Nystroem),
        numbers,
    ),
    Pair(
        "radial, waves",
        partial(RadialBasis, COMPONENTS, gamma=0.1, by="waves", random_state=0),
        partial(_beside, RBFSampler),
        numbers,
    ),
)
