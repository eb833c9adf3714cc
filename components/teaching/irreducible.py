"""The error that no classifier can go below: 1 - E[max_y p(y | x)], from densities that are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.components.bayes.densities import distribution, draw, log_density, parts_of, proba

Array = np.ndarray[Any, Any]

DRAWS = 200_000
POINTS = 50_000  # of each class
TAIL = 1e-14


def bayes_error(densities: Sequence[Any], priors: Sequence[float], *, draws: int = DRAWS, seed: int = 0) -> float:
    """By quadrature for one continuous column, and else the mean over rows drawn from the densities."""
    shares = np.asarray(priors, dtype=float)
    grid = density_grid(densities)
    if grid is not None:
        joint = np.exp(np.column_stack([log_density(spec, grid[:, None]) for spec in densities])) * shares
        return float(np.trapezoid(joint.sum(axis=1) - joint.max(axis=1), grid))
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(draws, shares)
    rows = np.vstack([draw(spec, count, rng) for spec, count in zip(densities, counts, strict=True)])
    return float(np.mean(1 - proba(densities, shares, rows).max(axis=1)))


def density_grid(densities: Sequence[Any]) -> Array | None:
    """Points as close as the narrowest class asks for; None of several columns, or of counts."""
    points = []
    for spec in densities:
        parts = parts_of(spec)
        if len(parts) != 1 or not hasattr(made := distribution(parts[0]), "dist") or not hasattr(made.dist, "logpdf"):
            return None
        points.append(np.linspace(float(made.ppf(TAIL)), float(made.isf(TAIL)), POINTS))
    return np.unique(np.concatenate(points))
