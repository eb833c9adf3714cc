"""Clusterings of the same rows into 1, 2, 3... clusters: what all criteria look at."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from penstock.errors import DataError, UsageError

Floats = NDArray[np.float64]
Codes = NDArray[np.integer[Any]]
Cluster = Callable[[Floats, int, int], Codes]

MAX_ROWS = 2000
MAX_CLUSTERS = 8
STARTS = 10


def by_k_means(X: Floats, k: int, seed: int) -> Codes:
    """Clusters the rows into K groups; ten starts, as one often ends in a poor optimum."""
    if k == 1:
        return np.zeros(len(X), dtype=np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer distinct rows than clusters
        return np.asarray(KMeans(k, n_init=STARTS, random_state=seed).fit_predict(X))


def draw(X: Floats, seed: int, most: int = MAX_ROWS) -> NDArray[np.int64]:
    """The rows to look at, by position: all, or a random choice; most criteria compare all pairs."""
    if len(X) <= most:
        return np.arange(len(X))
    return np.sort(np.random.default_rng(seed).choice(len(X), most, replace=False))


class Evidence:
    """The rows and their clusterings, each made when a criterion first asks for it.

    `cluster` groups any rows into K clusters: these ones, drawn references and halves of them. `labels` and `models`
    by K are those that are there already.
    """

    def __init__(
        self,
        X: Floats,
        ks: Iterable[int] = range(1, MAX_CLUSTERS + 1),
        *,
        cluster: Cluster = by_k_means,
        labels: Mapping[int, Codes] | None = None,
        models: Mapping[int, Any] | None = None,
        seed: int = 0,
    ) -> None:
        self.X = np.asarray(X, dtype=np.float64)
        self.ks = sorted({int(k) for k in ks})
        self.cluster, self.seed = cluster, seed
        self._labels = dict(labels or {})
        self._models = dict(models or {})
        self._references: dict[int, Floats] = {}
        _require_rows(self.X)
        _require_ks(self.ks, len(self.X))

    def labels(self, k: int) -> Codes:
        if k not in self._labels:
            self._labels[k] = self.cluster(self.X, k, self.seed)
        return self._labels[k]

    @cached_property
    def spread(self) -> dict[int, float]:
        """W_K: squared distances of the rows to the mean of their cluster, in sum."""
        return {k: within(self.X, self.labels(k)) for k in self.ks}

    @cached_property
    def tree(self) -> Floats:
        """Ward's tree of all rows."""
        return np.asarray(linkage(self.X, "ward"))

    def reference_logs(self, references: int) -> Floats:
        """log W_K, by K, of so many tables of uniform rows in the box that holds these."""
        if references not in self._references:
            rng = np.random.default_rng(self.seed)
            low, high = self.X.min(axis=0), self.X.max(axis=0)
            logs = np.empty((references, len(self.ks)))
            for number in range(references):
                drawn = rng.uniform(low, high, size=self.X.shape)
                logs[number] = [log_spread(within(drawn, self.cluster(drawn, k, self.seed))) for k in self.ks]
            self._references[references] = logs
        return self._references[references]

    def mixture(self, k: int) -> Any:
        """A model of the rows that knows its BIC: the one given, or a mixture of K Gaussians."""
        given = self._models.get(k)
        if hasattr(given, "bic"):
            return given
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return GaussianMixture(k, n_init=3, max_iter=200, random_state=self.seed).fit(self.X)


def within(X: Floats, labels: Codes) -> float:
    """Squared distances to the means of the clusters, in sum."""
    _, codes = np.unique(labels, return_inverse=True)
    sizes = np.bincount(codes)
    sums = np.zeros((len(sizes), X.shape[1]))
    np.add.at(sums, codes, X)
    return float(((X - (sums / sizes[:, None])[codes]) ** 2).sum())


def log_spread(spread: float) -> float:
    """Where every row is a cluster of its own, nothing is left to take the logarithm of."""
    return float(np.log(max(spread, np.finfo(float).tiny)))


def _require_rows(X: Floats) -> None:
    if X.ndim != 2 or len(X) < 2 or not np.isfinite(X).all():
        raise DataError(
            "PEN342",
            "clusters are counted among at least two rows of numbers, none of them missing or infinite",
            where="the rows",
            remedy="fill in or leave out what is missing; the preparation of a pipeline does that",
        )
    if (np.ptp(X, axis=0) == 0).all():
        raise DataError(
            "PEN341",
            f"all {len(X)} rows are equal, so that there is nothing to tell them apart",
            where="the rows",
            remedy="check that the columns in use are those that differ from row to row",
        )


def _require_ks(ks: list[int], rows: int) -> None:
    wrong = [k for k in ks if not 1 <= k <= rows]
    if wrong or not ks:
        raise UsageError(
            "PEN340",
            f"{rows} rows cannot form {wrong[0]} clusters" if wrong else "no number of clusters was given to try",
            where="number of clusters",
            remedy=f"try numbers from 1 to {rows}",
        )
