"""Bias, variance and noise where the truth is known: by simulation, and of ridge in closed form."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from penstock.components.evaluation.bias_variance import squared_loss

Floats = NDArray[np.float64]

PLACES = 30


def polynomial_bias_variance(
    degree: int, *, rows: int, noise: float, rounds: int, at: float | None, even: bool, seed: int
) -> dict[str, float]:
    """Polynomials by least squares, each on its own rows of sin(x) + noise, x drawn or even between -pi and pi.

    Evaluated at one place, or over all of them. `measured` is the mean squared error against new noisy values: bias^2 +
    variance + noise must come near it. The square of the variance is inside the mean, where the courses print it
    outside.
    """
    rng = np.random.default_rng(seed)
    x = rng.uniform(-np.pi, np.pi, (rounds, rows))
    if even:
        x = np.broadcast_to(np.linspace(-np.pi, np.pi, rows), x.shape)
    y = np.sin(x) + noise * rng.normal(size=x.shape)
    places = np.linspace(-np.pi, np.pi, PLACES) if at is None else np.array([at])
    weights = np.linalg.pinv(_basis(x[:1] if even else x, degree)) @ y[:, :, None]
    predictions = weights[:, :, 0] @ _basis(places, degree).T
    truth = np.sin(places)
    fresh = truth + noise * rng.normal(size=predictions.shape)
    return {**squared_loss(predictions, truth, noise**2), "measured": float(np.mean((predictions - fresh) ** 2))}


class Shrunk(NamedTuple):
    """What a penalty does to weights by least squares; `factors` are of the variance along each eigenvector."""

    bias: Floats
    factors: Floats
    squared_bias: float
    variance: float


def ridge_bias_variance(X: Floats, weights: Floats, penalty: float, noise: float = 1.0) -> Shrunk:
    """Bias -l (X'X + l I)^-1 w and variance s^2 V diag(d / (d + l)^2) V' of ridge, for true weights and noise s^2.

    One line of a course drops the penalty from the bias; this is the other line. The variance is the trace.
    """
    values, vectors = np.linalg.eigh(X.T @ X)
    values = np.clip(values, 0, None)
    shrunk = np.where(values + penalty > 0, values + penalty, 1.0)
    bias: Floats = -penalty * (vectors @ ((vectors.T @ weights) / shrunk))
    factors: Floats = (values / shrunk**2)[::-1]
    return Shrunk(bias, factors, float(bias @ bias), float(noise * factors.sum()))


def _basis(x: Floats, degree: int) -> Floats:
    terms: Floats = np.polynomial.legendre.legvander(x / np.pi, degree).astype(np.float64)
    return terms
