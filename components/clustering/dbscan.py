"""DBSCAN: clusters are where rows stand dense; what stands alone is noise."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn import cluster
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.clustering.base import NOISE, ByDissimilarity, nearest_by
from penstock.components.clustering.validity import checked_rows

MAX_ROWS = 5000
"""So many rows, evenly taken, show how far neighbours usually are."""

Array = NDArray[np.float64]
Labels = NDArray[np.int64]


class DBSCAN(ByDissimilarity, ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Density-based clusters and noise by any dissimilarity, with a rule for new rows.

    It is scikit-learn's DBSCAN, with an `eps` that can be estimated from the rows. A new row belongs to the cluster of
    the nearest core row where that is within `eps`, and is noise otherwise.

    Parameters
    ----------
    eps : float or "auto", default="auto"
        Maximum dissimilarity of neighbours, this one included; "auto" takes the bend in the curve of the distances of
        rows to their neighbour number two times `min_samples`.
    min_samples : int, default=5
        Number of rows within `eps`, itself included, that makes a row a core row.
    dissimilarity : str, default="euclidean"
        Dissimilarity of two rows, one of the names that `penstock.components.dissimilarity.measure.Measure` knows.
    settings : dict or None, default=None
        Settings of the dissimilarity, such as `{"power": 3}` of minkowski.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each training row; noise is -1. A row with a cluster that is no core row is on the border.
    eps_ : float
        The distance within which rows are neighbours.
    core_sample_indices_ : ndarray of shape (n_core_samples,)
        Indices of the core rows.
    components_ : ndarray of shape (n_core_samples, n_features_in_)
        The core rows.

    Examples
    --------
    >>> from penstock.components.clustering.dbscan import DBSCAN
    >>> model = DBSCAN(eps=1.5, min_samples=2).fit([[0.0], [1.0], [10.0], [11.0], [50.0]])
    >>> model.labels_.tolist()
    [0, 0, 1, 1, -1]
    >>> model.predict([[1.5], [30.0]]).tolist()
    [0, -1]
    """

    assignment_rule: ClassVar[str] = "the cluster of the nearest core row within eps; noise (-1) where there is none"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ByDissimilarity.dissimilarity_constraints,
        "eps": [Interval(Real, 0, None, closed="neither"), StrOptions({"auto"})],
        "min_samples": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        eps: Any = "auto",
        *,
        min_samples: int = 5,
        dissimilarity: str = "euclidean",
        settings: dict[str, Any] | None = None,
    ) -> None:
        self.eps = eps
        self.min_samples = min_samples
        self.dissimilarity = dissimilarity
        self.settings = settings

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = checked_rows(self, X)
        self.measure_ = self._measure(X)
        plain = self.dissimilarity == "euclidean"
        space = X if plain else self.measure_.between(X)
        metric = "euclidean" if plain else "precomputed"
        self.eps_ = usual_reach(space, 2 * self.min_samples, metric) if self.eps == "auto" else float(self.eps)
        model = cluster.DBSCAN(eps=self.eps_, min_samples=self.min_samples, metric=metric).fit(space)
        self.labels_ = model.labels_
        self.core_sample_indices_ = model.core_sample_indices_
        self.components_ = X[model.core_sample_indices_]
        return self

    def predict(self, X: Any) -> Labels:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        if not len(self.core_sample_indices_):
            return np.full(len(X), NOISE)
        if self.dissimilarity == "precomputed":
            apart = X[:, self.core_sample_indices_]
            distance, place = apart.min(axis=1), apart.argmin(axis=1)
        else:
            distance, place = nearest_by(self.measure_, self.components_, X)
        return np.where(distance <= self.eps_, self.labels_[self.core_sample_indices_][place], NOISE)


def usual_reach(X: Array, neighbours: int, metric: str) -> float:
    """Where the sorted distances to the n-th neighbour bend up: furthest below the line from the least to the most."""
    step = max(1, len(X) // MAX_ROWS)
    count = min(neighbours, len(X))
    reach = NearestNeighbors(n_neighbors=count, metric=metric).fit(X).kneighbors(X[::step])[0][:, -1]
    ordered = np.sort(reach)
    if ordered[-1] <= ordered[0]:
        return float(ordered[-1]) or 1.0
    line = np.linspace(ordered[0], ordered[-1], len(ordered))
    return float(ordered[(line - ordered).argmax()]) or float(ordered[ordered > 0][0])
