"""Where k-means may start: points of the data, means of a random partition, far points, or more centres merged."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

Array = NDArray[np.float64]
Start = Callable[[Array, int, np.random.RandomState], Array]


def random_partition(X: Array, clusters: int, rng: np.random.RandomState) -> Array:
    """The means of groups that rows are thrown into; a group that stays empty gets a row of its own."""
    labels = rng.randint(clusters, size=len(X))
    counts = np.bincount(labels, minlength=clusters)
    for empty in np.flatnonzero(counts == 0):
        donors = np.flatnonzero(counts[labels] > 1)
        row = rng.choice(donors)
        counts[labels[row]] -= 1
        labels[row], counts[empty] = empty, 1
    return means(X, labels, clusters)


def furthest_first(X: Array, clusters: int, rng: np.random.RandomState) -> Array:
    """A random row, then again and again the row furthest from all that were taken."""
    return X[furthest_rows(X, clusters, int(rng.randint(len(X))))]


def furthest_rows(X: Array, clusters: int, first: int) -> NDArray[np.int64]:
    """Nothing is random after the first row."""
    chosen = [first]
    gap = ((X - X[first]) ** 2).sum(axis=1)
    while len(chosen) < clusters:
        chosen.append(int(gap.argmax()))
        gap = np.minimum(gap, ((X - X[chosen[-1]]) ** 2).sum(axis=1))
    return np.array(chosen)


def over_seeded(X: Array, clusters: int, rng: np.random.RandomState) -> Array:
    """K-means with K ln K centres (rounded up), of which the closest two are merged until K are left."""
    many = min(len(X), seeds(clusters))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = KMeans(many, init="random", n_init=1, random_state=rng).fit(X)
    sizes = np.bincount(model.labels_, minlength=many).astype(np.float64)
    return merge_closest(model.cluster_centers_, sizes, clusters)


def seeds(clusters: int) -> int:
    return max(clusters, math.ceil(clusters * math.log(clusters)))


def merge_closest(centres: Array, sizes: Array, clusters: int) -> Array:
    """The closest pair becomes its mean, weighted by size, until so many are left."""
    left, weight = centres.copy(), sizes.copy()
    while len(left) > clusters:
        apart = ((left[:, None] - left[None]) ** 2).sum(axis=2)
        np.fill_diagonal(apart, np.inf)
        one, other = np.unravel_index(apart.argmin(), apart.shape)
        both = max(float(weight[one] + weight[other]), 1.0)
        left[one] = (weight[one] * left[one] + weight[other] * left[other]) / both
        weight[one] += weight[other]
        left, weight = np.delete(left, other, axis=0), np.delete(weight, other)
    return left


def means(X: Array, labels: NDArray[np.int64], clusters: int) -> Array:
    sums = np.zeros((clusters, X.shape[1]))
    np.add.at(sums, labels, X)
    return sums / np.maximum(np.bincount(labels, minlength=clusters), 1)[:, None]


STARTS: dict[str, Start] = {
    "random-partition": random_partition,
    "furthest-first": furthest_first,
    "over-seeded": over_seeded,
}
