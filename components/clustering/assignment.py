"""How sure the cluster of a row is, and whether the row is like anything that was trained on.

Works for any fitted clusterer, since it asks no more of it than `predict`: what it needs it learns from the rows and
the clusters they got. Distances are Euclidean ones of prepared rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.neighbors import NearestNeighbors

from penstock.components.clustering.base import NOISE

NEIGHBOURS = 5
MAX_ROWS = 5000

Array = NDArray[np.float64]
Labels = NDArray[np.int64]


class Assigned(NamedTuple):
    """One value for each row.

    `confidence`: from 0 to 1 that the row is in its cluster rather than in another; 0 for noise. `outlier`: further
    from the rows of its cluster than nearly all of these are from each other, or noise.
    """

    labels: Labels
    confidence: Array
    outlier: NDArray[np.bool_]


class Assigner(BaseEstimator):  # type: ignore[misc]
    """Learns from rows and their clusters how near rows of a cluster usually are; then evaluates new ones.

    The confidence of a method that gives probabilities is the largest of them. For any other it is other / (own +
    other), the distances to the fifth nearest row of the own cluster and of all others: a half where a row is as near
    to both, one where it is far from all others.

    Parameters
    ----------
    outliers : float
        The share of the training rows that count as outliers of their cluster. A cluster of fewer rows than one over
        this share has its furthest row as the limit.
    most_rows : int
        So many rows are kept, each cluster with its share and at least some, so that a model stays small.
    random_state : int, RandomState or None
        For the rows that are kept.

    Attributes
    ----------
    rows_, row_labels_ : array
        The rows that are kept, and their clusters.
    limits_ : array
        For each of `clusters_` how far the fifth nearest of its rows may be.
    """

    def __init__(self, outliers: float = 0.01, *, most_rows: int = MAX_ROWS, random_state: Any = None) -> None:
        self.outliers = outliers
        self.most_rows = most_rows
        self.random_state = random_state

    def fit(self, X: Any, labels: Any) -> Self:
        """`labels` are those of the training rows, by the fitted clusterer."""
        X, labels = np.asarray(X, dtype=np.float64), np.asarray(labels)
        kept = self._kept(labels)
        self.rows_, self.row_labels_ = X[kept], labels[kept]
        self.clusters_ = np.unique(self.row_labels_)
        limits = []
        for cluster in self.clusters_:
            rows = self.rows_[self.row_labels_ == cluster]
            limits.append(np.quantile(_to_fellows(rows), 1 - self.outliers, method="higher"))
        self.limits_ = np.array(limits)
        return self

    def assign(self, model: Any, X: Any) -> Assigned:
        """What the clusterer says of these rows, how sure it is, and which of them are like none."""
        X = np.asarray(X, dtype=np.float64)
        labels = np.asarray(model.predict(X)).astype(np.int64)
        own, other = self._distances(X, labels)
        known = np.searchsorted(self.clusters_, labels)
        limit = np.full(len(X), -np.inf)
        inside = np.isin(labels, self.clusters_)
        limit[inside] = self.limits_[known[inside]]
        return Assigned(labels, self._confidence(model, X, labels, own, other), own > limit)

    def _confidence(self, model: Any, X: Array, labels: Labels, own: Array, other: Array) -> Array:
        if hasattr(model, "predict_proba"):
            confidence = np.asarray(model.predict_proba(X)).max(axis=1)
        else:
            confidence = np.ones(len(X))  # where there is no other cluster
            some = np.isfinite(other) & np.isfinite(own)
            total = own[some] + other[some]
            confidence[some] = np.divide(other[some], total, out=np.full(len(total), 0.5), where=total > 0)
        return np.where(labels == NOISE, 0.0, np.clip(confidence, 0.0, 1.0))

    def _distances(self, X: Array, labels: Labels) -> tuple[Array, Array]:
        """Of each row to its own cluster and to the nearest other one; infinite where there is none."""
        own, other = np.full(len(X), np.inf), np.full(len(X), np.inf)
        for cluster in self.clusters_:
            rows = self.rows_[self.row_labels_ == cluster]
            count = min(NEIGHBOURS, len(rows))
            far = NearestNeighbors(n_neighbors=count).fit(rows).kneighbors(X)[0][:, -1] if len(X) else np.zeros(0)
            mine = labels == cluster
            own[mine] = far[mine]
            other[~mine] = np.minimum(other[~mine], far[~mine])
        return own, other

    def _kept(self, labels: Labels) -> NDArray[np.int64]:
        """Noise teaches nothing. Of too many rows each cluster keeps its share by lot, and at least a hundred."""
        rng = np.random.default_rng(self.random_state if isinstance(self.random_state, int) else None)
        inside = np.flatnonzero(labels != NOISE)
        if len(inside) <= self.most_rows:
            return inside
        chosen = []
        for cluster in np.unique(labels[inside]):
            places = inside[labels[inside] == cluster]
            count = min(len(places), max(100, round(self.most_rows * len(places) / len(inside))))
            chosen.append(rng.choice(places, count, replace=False))
        return np.sort(np.concatenate(chosen))


def _to_fellows(rows: Array) -> Array:
    """From each row to its fifth nearest of the others."""
    if len(rows) < 2:
        return np.zeros(1)
    return np.asarray(NearestNeighbors(n_neighbors=min(NEIGHBOURS, len(rows) - 1)).fit(rows).kneighbors()[0][:, -1])
