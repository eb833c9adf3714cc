"""Laws without groups, fitted to the rows: what these would look like if there were nothing to find.

Each reference keeps something that may be mistaken for groups: the range (`uniform`), the correlations (`gaussian`),
heavy tails (`elliptical`), skewed columns (`independent`), skewed columns that go together (`copula`). All of them have
one mode.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression
from scipy.stats import norm, rankdata

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator], Floats]

FEW_VALUES = 0.3  # a column with fewer distinct values than this share of the rows has levels, not a density
POINTS_A_BIN = 6
MAX_BINS = 60
DEGREES = 3.0  # of freedom of the t law whose M-estimator gives the shape: outliers count little
SHAPE_STEPS = 30


def references(X: Floats) -> dict[str, Draw]:
    """By name, a function that draws as many rows as X has."""
    return {
        "uniform": _uniform(X),
        "gaussian": _gaussian(X),
        "elliptical": _elliptical(X),
        "independent": _independent(X),
        "copula": _copula(X),
    }


def _uniform(X: Floats) -> Draw:
    """The box about the rows, along their principal axes."""
    centre = X.mean(axis=0)
    _, _, axes = np.linalg.svd(X - centre, full_matrices=False)
    along = (X - centre) @ axes.T
    low, high = along.min(axis=0), along.max(axis=0)
    return lambda rng: centre + rng.uniform(low, high, size=along.shape) @ axes


def _gaussian(X: Floats) -> Draw:
    """Mean and covariance of the rows. Normal combinations of the centred rows need no factor of the covariance."""
    centre = X.mean(axis=0)
    rows = (X - centre) / np.sqrt(len(X) - 1)
    return lambda rng: centre + rng.standard_normal((len(X), len(X))) @ rows


def _elliptical(X: Floats) -> Draw:
    """Ellipses about one centre, the density falling outwards as slowly as that of the rows does."""
    count, width = X.shape
    centre, factor = _shape(X)
    radii = np.linalg.norm(np.linalg.solve(factor, (X - centre).T), axis=0)
    # In the volume inside of a radius, a density that falls outwards is a falling density.
    volumes = unimodal((radii / radii.max()) ** width, falling=True)

    def draw(rng: np.random.Generator) -> Floats:
        directions = rng.standard_normal((count, width))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        lengths = radii.max() * volumes(rng.random((count,))) ** (1 / width)
        rows: Floats = centre + (lengths[:, None] * directions) @ factor.T
        return rows

    return draw


def _independent(X: Floats) -> Draw:
    """Every column on its own, as skewed as it is."""
    columns = [_marginal(column) for column in X.T]
    return lambda rng: np.column_stack([column(rng.permutation(_levels(len(X)))) for column in columns])


def _copula(X: Floats) -> Draw:
    """The columns as skewed as they are, and going together as ranks of a Gaussian."""
    columns = [_marginal(column) for column in X.T]
    normal = norm.ppf((rankdata(X, axis=0) - 0.5) / len(X))
    correlated = _gaussian(normal / normal.std(axis=0))

    def draw(rng: np.random.Generator) -> Floats:
        shares = norm.cdf(correlated(rng))
        return np.column_stack([column(share) for column, share in zip(columns, shares.T, strict=True)])

    return draw


def _levels(count: int) -> Floats:
    return (np.arange(count) + 0.5) / count


def _marginal(values: Floats) -> Callable[[Floats], Floats]:
    """Quantiles of the closest law with one mode; of the values themselves where they are levels."""
    if len(np.unique(values)) < FEW_VALUES * len(values):
        ordered = np.sort(values)
        return lambda shares: ordered[np.clip((shares * len(ordered)).astype(np.int64), 0, len(ordered) - 1)]
    return unimodal(values)


def unimodal(values: Floats, *, falling: bool = False) -> Callable[[Floats], Floats]:
    """The quantile function of the unimodal density nearest to that of the values, with the mode first if `falling`.

    A histogram of bins with equally many values, made to rise up to a mode and to fall from there on by isotonic
    regression; the mode is where the distribution function is then nearest to that of the values.
    """
    ordered = np.sort(values)
    bins = int(np.clip(len(values) // POINTS_A_BIN, 2, MAX_BINS))
    at = np.unique(np.linspace(0, len(values) - 1, bins + 1).round().astype(np.int64))
    edges, first = np.unique(ordered[at], return_index=True)
    if falling:
        edges[0] = 0.0
    masses, widths = np.diff(at[first]) / (len(values) - 1), np.diff(edges)
    masses /= masses.sum()
    heights = masses / widths
    best: tuple[float, Floats] | None = None
    for mode in range(1 if falling else len(heights)):
        fitted = np.concatenate(
            [_monotone(heights[:mode], widths[:mode], True), _monotone(heights[mode:], widths[mode:], False)]
        )
        reached = np.cumsum(fitted * widths)
        off = float(np.abs(reached - np.cumsum(masses)).max())
        if best is None or off < best[0]:
            best = (off, np.concatenate([[0.0], reached / reached[-1]]))
    assert best is not None
    shares = best[1]
    return lambda asked: np.interp(asked, shares, edges)


def _monotone(heights: Floats, widths: Floats, increasing: bool) -> Floats:
    if len(heights) == 0:
        return heights
    fitted: Floats = isotonic_regression(heights, weights=widths, increasing=increasing).x
    return fitted


def _shape(X: Floats) -> tuple[Floats, Floats]:
    """Centre and a factor of the shape matrix that are hardly moved by outliers: M-estimators of a t law."""
    count, width = X.shape
    scale = X.std(axis=0)
    rows = X / scale
    centre = np.median(rows, axis=0)
    small = 1e-8 * np.eye(width)
    shape = np.atleast_2d(np.cov(rows, rowvar=False)) + small
    for _ in range(SHAPE_STEPS):
        off = rows - centre
        weights = (DEGREES + width) / (DEGREES + np.einsum("ij,ji->i", off, np.linalg.solve(shape, off.T)))
        centre = weights @ rows / weights.sum()
        off = rows - centre
        shape = (off * weights[:, None]).T @ off / count + small
    return centre * scale, scale[:, None] * np.linalg.cholesky(shape)
