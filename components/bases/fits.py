"""Polynomials of several degrees on one column, and how well each does on rows it has not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline

from penstock.components.bases.polynomial import PolynomialBasis

POINTS_OF_CURVE = 120
MAX_DOTS = 400

Array = np.ndarray[Any, Any]


def polynomial_fits(x: Array, y: Array, folds: Sequence[tuple[Array, Array]], degrees: Sequence[int]) -> dict[str, Any]:
    """Least squares of each degree: its curve, and its root mean square error on training rows and unseen."""
    grid = np.linspace(x.min(), x.max(), POINTS_OF_CURVE)
    fits = []
    for degree in degrees:
        model = make_pipeline(PolynomialBasis(degree), LinearRegression())
        unseen = [_miss(model.fit(x[train, None], y[train]), x[valid], y[valid]) for train, valid in folds]
        model.fit(x[:, None], y)
        fits.append(
            {
                "degree": degree,
                "learnt": _miss(model, x, y),
                "unseen": float(np.mean(unseen)),
                "curve": [float(value) for value in model.predict(grid[:, None])],
            }
        )
    shown = np.unique(np.linspace(0, len(x) - 1, min(len(x), MAX_DOTS)).round().astype(int))
    return {
        "grid": [float(value) for value in grid],
        "x": [float(value) for value in x[shown]],
        "y": [float(value) for value in y[shown]],
        "fits": fits,
    }


def _miss(model: Any, x: Array, y: Array) -> float:
    return float(np.sqrt(np.mean((model.predict(x[:, None]) - y) ** 2)))
