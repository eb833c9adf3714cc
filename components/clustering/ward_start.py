"""Where a mixture starts: the clusters of Ward's tree, which are the same every time and seldom miss a group."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage

from penstock.components.clustering.agglomerative import cut
from penstock.components.clustering.base import nearest
from penstock.components.clustering.starts import means

MAX_ROWS = 3000

Array = NDArray[np.float64]
Labels = NDArray[np.int64]


def ward_labels(X: Array, clusters: int, rng: np.random.RandomState) -> Labels:
    """The tree is of some rows by lot where there are many; the others go where the nearest mean is."""
    if clusters < 2:
        return np.zeros(len(X), dtype=np.int64)
    drawn = rng.permutation(len(X))[: max(MAX_ROWS, clusters)] if len(X) > MAX_ROWS else np.arange(len(X))
    labels = cut(linkage(X[drawn], "ward"), len(drawn) - clusters)
    return labels if len(drawn) == len(X) else nearest(means(X[drawn], labels, clusters), X)[1]


def started(X: Array, labels: Labels, covariance: str) -> tuple[Array, Array, Array]:
    """Weights, means and covariances of these clusters; covariances are shrunk to a ball, as small clusters have none.

    `covariance` is full, tied, diag or spherical, and decides on the shape of the last.
    """
    clusters, width = int(labels.max()) + 1, X.shape[1]
    sizes = np.bincount(labels, minlength=clusters).astype(np.float64)
    centres = means(X, labels, clusters)
    rest = X - centres[labels]
    ball = max(float((rest**2).mean()), 1e-12 * float(X.var()), np.finfo(float).tiny)
    if covariance == "tied":
        shared: Array = rest.T @ rest / len(rest) + 1e-6 * ball * np.eye(width)
        return sizes / len(X), centres, shared
    if covariance == "full":
        inside = [rest[labels == cluster] for cluster in range(clusters)]
        extra = (width + 1) * ball / 2 * np.eye(width)
        shapes = np.stack([(own.T @ own + extra) / (len(own) + width + 1) for own in inside])
        return sizes / len(X), centres, shapes
    squares = np.column_stack([np.bincount(labels, column, clusters) for column in (rest**2).T])
    spreads: Array = (squares + ball / 2) / (sizes[:, None] + 1)
    return sizes / len(X), centres, spreads.mean(axis=1) if covariance == "spherical" else spreads
