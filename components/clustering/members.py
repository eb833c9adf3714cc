"""Which rows stand in the middle of each cluster, and which at its border."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import pairwise_distances

Labels = NDArray[np.integer[Any]]

FEW = 3
MAX_ROWS = 2000


class Members(NamedTuple):
    """Positions of rows, the most typical and the nearest to the border first."""

    typical: list[int]
    border: list[int]


def members(X: NDArray[np.float64], labels: Labels, *, seed: int, few: int = FEW) -> dict[int, Members]:
    """By cluster, noise left out; from all rows, or a drawn sample of 2,000.

    Typical rows have the smallest mean distance to their cluster, as medoids do, so that the middle of a cluster that
    is not round is a row of it. Border rows have the lowest silhouette: another cluster is nearest to them.
    """
    drawn = np.flatnonzero(labels >= 0)
    if len(drawn) > MAX_ROWS:
        drawn = np.sort(np.random.default_rng(seed).choice(drawn, MAX_ROWS, replace=False))
    if not len(drawn):
        return {}
    clusters, codes = np.unique(labels[drawn], return_inverse=True)
    inside = np.eye(len(clusters))[codes]
    sums = pairwise_distances(X[drawn]) @ inside
    sizes = inside.sum(axis=0)
    rows = np.arange(len(drawn))
    own = sums[rows, codes] / np.maximum(sizes[codes] - 1, 1)
    means = sums / sizes
    means[rows, codes] = np.inf
    nearest = means.min(axis=1) if len(clusters) > 1 else np.full(len(drawn), np.inf)
    with np.errstate(invalid="ignore", divide="ignore"):
        margin = np.where(np.isfinite(nearest), (nearest - own) / np.maximum(nearest, own), -own)
    found = {}
    for code, cluster in enumerate(clusters):
        mine = rows[codes == code]
        typical = mine[np.argsort(own[mine], kind="stable")[:few]]
        border = mine[np.argsort(np.nan_to_num(margin[mine]), kind="stable")[:few]]
        found[int(cluster)] = Members(drawn[typical].tolist(), drawn[border].tolist())
    return found
