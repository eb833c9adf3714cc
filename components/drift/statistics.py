"""How far the rows of a window are from all others, for many windows at once: greater where they differ more.

Each is scaled by the sizes of both sides, so that chance alone gives it a law like that of a sum of squares.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import ndtri, xlogy
from scipy.stats import rankdata

from penstock.components.drift.windows import Windows

Array = np.ndarray[Any, Any]
Floats = NDArray[np.float64]

BANDWIDTHS = (0.5, 1.0, 2.0)
BUCKETS = 256
MIN_OF_LEVEL = 5
MAX_JOINT_LEVELS = 20
AT_ONCE = 250
MAX_FOR_MEDIAN = 1000


def ordered(values: Floats, windows: Windows) -> Floats:
    """Anderson and Darling's distance of two samples, of the values that are there.

    It asks for the order alone, so that long tails do not change what chance does, and heeds the tails as much as the
    middle; of a column with two values it is the chi-squared statistic.
    """
    order = np.argsort(values, kind="stable")[: int((~np.isnan(values)).sum())]
    last = np.flatnonzero(np.diff(values[order]) > 0)  # of equal values, the step is complete at the last one
    if not len(last):
        return np.zeros(len(windows))
    pooled = ((last + 1) / len(order)).astype(np.float32)
    weights = np.diff(pooled, prepend=np.float32(0)) / (pooled * (1 - pooled))
    found = []
    for start in range(0, len(windows), AT_ONCE):
        heights = np.cumsum(windows[start : start + AT_ONCE, order], axis=1, dtype=np.float32)
        here = heights[:, -1:]
        both = np.maximum(here * (len(order) - here), 1)
        gap = (heights[:, last] - here * pooled) * (len(order) / both)
        found.append((gap**2 @ weights) * (both / len(order))[:, 0])
    return np.concatenate(found).astype(float)


def counted(counts: Any, windows: Windows) -> Floats:
    """Likelihood-ratio statistic of how often each level occurs: the Jensen-Shannon divergence, times twice the rows.

    `counts`: (rows, levels), sparse; a text has many.
    """
    total = np.asarray(counts.sum(axis=0), dtype=float).ravel()
    here = np.asarray((counts.T @ windows.T.astype(np.float32)).T, dtype=float)
    statistic = np.zeros(len(windows))
    for side in (here, total - here):
        size = side.sum(axis=1)
        statistic += (xlogy(side, side) - xlogy(side, np.maximum(total, 1))).sum(axis=1)
        statistic -= xlogy(size, np.maximum(size, 1) / max(total.sum(), 1))
    return np.maximum(2 * statistic, 0.0)


def jointly(points: Floats, windows: Windows) -> Floats:
    """Squared maximum mean discrepancy with Gaussian kernels of three widths about the median distance.

    It sees what no column shows by itself, such as two columns that used to rise together.
    """
    kernel = _kernel(points.astype(np.float32))
    found = []
    for start in range(0, len(windows), AT_ONCE):
        here = windows[start : start + AT_ONCE].astype(np.float32)
        size = here.sum(axis=1, keepdims=True)
        weights = here / size - (1 - here) / (len(points) - size)
        found.append(np.einsum("rn,rn->r", weights @ kernel, weights) * (size * (len(points) - size))[:, 0])
    return np.concatenate(found).astype(float) / len(points)


def _kernel(points: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of all pairs of rows, in as few matrices of that size as can be."""
    squared = (points**2).sum(axis=1)
    distances = points @ points.T
    distances *= -2
    distances += squared[:, None]
    distances += squared[None, :]
    np.maximum(distances, 0, out=distances)
    step = -(-len(points) // MAX_FOR_MEDIAN)
    middle = float(np.median(distances[::step, ::step])) or 1.0
    kernel = np.zeros_like(distances)
    for width in BANDWIDTHS:
        kernel += np.exp(distances * np.float32(-1 / (width**2 * middle)))
    return kernel


def level_counts(values: pd.Series[Any]) -> Any:
    """One column for each level that occurs often enough, and one for all others; a missing value is of no level."""
    codes, _ = pd.factorize(values)
    known = np.flatnonzero(codes >= 0)
    often = np.bincount(codes[known], minlength=1) >= MIN_OF_LEVEL
    column = np.where(often, np.cumsum(often), 0)
    ones = np.ones(len(known), dtype=np.float32)
    return sparse.csr_matrix((ones, (known, column[codes[known]])), shape=(len(values), 1 + int(often.sum())))


def term_counts(values: pd.Series[Any]) -> Any:
    """Which terms a text has, by the bucket that their hash falls into: terms that are new fall somewhere too."""
    from sklearn.feature_extraction.text import HashingVectorizer

    hashing = HashingVectorizer(n_features=BUCKETS, alternate_sign=False, norm=None, binary=True, dtype=np.float32)
    return hashing.transform(values.fillna("").astype(str)).tocsr()


def as_points(numbers: list[Floats], levels: list[pd.Series[Any]]) -> Floats:
    """Rows as points in which every column spreads as far as any other; a missing value stands in the middle."""
    parts: list[Array] = [_normal_scores(values)[:, None] for values in numbers]
    for values in levels:
        common = values.value_counts().index[:MAX_JOINT_LEVELS]
        shown = np.array([(values == level).to_numpy(dtype=float) for level in common]).T.reshape(len(values), -1)
        spread = float(np.sqrt(shown.var(axis=0).sum()))
        parts.append(shown / spread if spread else shown)
    return np.hstack(parts)


def _normal_scores(values: Floats) -> Floats:
    known = ~np.isnan(values)
    scores = np.zeros(len(values))
    scores[known] = ndtri(rankdata(values[known]) / (known.sum() + 1))
    return scores
