"""The best of all partitions of few rows: what other methods can be measured against."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from penstock.errors import ClusteringError

MAX_ROWS = 12
BATCH = 50_000

Array = NDArray[np.float64]
Labels = NDArray[np.int8]


def partitions_into(rows: int, clusters: int) -> int:
    """How many ways there are to put rows into so many clusters, none empty (Stirling, second kind)."""
    total = 0
    for left in range(clusters + 1):
        total += (1 if (clusters - left) % 2 == 0 else -1) * math.comb(clusters, left) * left**rows
    return total // math.factorial(clusters)


@cache
def partitions(rows: int) -> int:
    """How many ways there are to put rows into any number of clusters (Bell)."""
    return 1 if rows == 0 else sum(math.comb(rows - 1, before) * partitions(before) for before in range(rows))


def all_partitions(rows: int, most: int) -> Labels:
    """Every partition into at most so many clusters, one in each line; a cluster is numbered when it first appears."""
    found = np.zeros((1, 1), dtype=np.int8)
    for _ in range(rows - 1):
        choices = np.minimum(found.max(axis=1) + 2, most)
        longer = np.repeat(found, choices, axis=0)
        starts = np.repeat(np.cumsum(choices) - choices, choices)
        last = (np.arange(len(longer)) - starts).astype(np.int8)
        found = np.column_stack([longer, last])
    return found


def within(X: Array, labels: Labels, clusters: int) -> Array:
    """Of each line of labels the sum of squared distances of rows to the means of their clusters."""
    explained = np.zeros(len(labels))
    for cluster in range(clusters):
        members = (labels == cluster).astype(np.float64)
        sizes = np.maximum(members.sum(axis=1), 1)
        explained += ((members @ X) ** 2).sum(axis=1) / sizes
    return np.asarray((X**2).sum() - explained)


def best_partition(X: Array, clusters: int) -> tuple[Labels, float]:
    """The partition into so many clusters with the least sum of squares, and that sum."""
    if len(X) > MAX_ROWS or not 1 <= clusters <= len(X):
        count = partitions_into(len(X), clusters) if clusters <= len(X) else 0
        raise ClusteringError(
            "PEN339",
            f"{len(X)} rows have {count:,} partitions into {clusters} clusters; all can be tried of at most "
            f"{MAX_ROWS} rows and as many clusters as rows",
            where="the table",
            remedy=f"take at most {MAX_ROWS} rows, or k-means with many starts",
        )
    centred = X - X.mean(axis=0)
    found = all_partitions(len(X), clusters)
    found = found[found.max(axis=1) == clusters - 1]
    sums = np.concatenate([within(centred, found[at : at + BATCH], clusters) for at in range(0, len(found), BATCH)])
    best = int(sums.argmin())
    return found[best], float(sums[best])
