"""How well clusters of any shape are set apart by thinly populated space."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist, squareform

Floats = NDArray[np.float64]

NEIGHBOURS = 5
TYPICAL = (
    0.9  # the quantile of a cluster's links that says how loose it is; its longest link is often that of an outlier
)


def density_validity(X: Floats, labels: NDArray[np.integer[Any]], *, neighbours: int = NEIGHBOURS) -> float | None:
    """From -1 to 1, after DBCV: links to the nearest other cluster against links inside; None without two clusters.

    Distances are of mutual reachability: at least as long as the way to the fifth neighbour, within the own cluster. A
    cluster is as loose as its links in the minimum spanning tree. The mean weighs clusters by their size, and noise
    counts as 0, so that clusters of a few dense rows do not score well. Quadratic in the rows: thin them first.
    """
    return reachability_validity(squareform(pdist(X)), labels, neighbours=neighbours)


def reachability_validity(
    distances: Floats, labels: NDArray[np.integer[Any]], *, neighbours: int = NEIGHBOURS
) -> float | None:
    """The same from a matrix of distances."""
    clusters = [np.flatnonzero(labels == cluster) for cluster in np.unique(labels[labels >= 0])]
    if len(clusters) < 2:
        return None
    core = np.full(len(distances), np.inf)
    looseness = np.zeros(len(clusters))
    for number, rows in enumerate(clusters):
        inside = distances[np.ix_(rows, rows)]
        if len(rows) < 2:
            core[rows] = 0.0
            continue
        core[rows] = np.partition(inside, min(neighbours, len(rows) - 1), axis=1)[:, min(neighbours, len(rows) - 1)]
        reach = np.maximum(np.maximum(inside, core[rows][:, None]), core[rows])
        np.fill_diagonal(reach, 0.0)
        looseness[number] = np.quantile(linkage(squareform(reach, checks=False), "single")[:, 2], TYPICAL)
    score = 0.0
    for number, rows in enumerate(clusters):
        others = np.concatenate([other for position, other in enumerate(clusters) if position != number])
        across = np.maximum(np.maximum(distances[np.ix_(rows, others)], core[rows][:, None]), core[others])
        gap = float(across.min())
        widest = max(gap, looseness[number])
        score += len(rows) / len(labels) * ((gap - looseness[number]) / widest if widest > 0 else 0.0)
    return score
