"""HDBSCAN: DBSCAN at every width at once; the clusters that last longest."""

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
from penstock.components.clustering.validity import checked_rows, require_rows

Array = NDArray[np.float64]
Labels = NDArray[np.int64]


class HDBSCAN(ByDissimilarity, ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Density-based clusters of differing density by any dissimilarity, with a rule for new rows.

    It is scikit-learn's HDBSCAN, which has none.

    Parameters
    ----------
    min_cluster_size : int, default=5
        Minimum number of rows of a cluster.
    min_samples : int or None, default=None
        As in DBSCAN; None takes `min_cluster_size`.
    selection : {"eom", "leaf"}, default="eom"
        The clusters that persist longest (excess of mass), or the leaves of the tree.
    merge_below : float, default=0.0
        Clusters less than this far apart are merged.
    single : bool, default=False
        Whether one cluster of nearly all rows is a valid result.
    noise : {"apart", "nearest"}, default="apart"
        Whether noise stays noise, or goes to the cluster of the nearest row that is none.
    dissimilarity : str, default="euclidean"
        Dissimilarity of two rows, one of the names that `penstock.components.dissimilarity.measure.Measure` knows.
    settings : dict or None, default=None
        Settings of the dissimilarity, such as `{"power": 3}` of minkowski.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each training row; noise is -1 where it stays apart.
    probabilities_ : ndarray of shape (n_samples,)
        Strength with which each training row belongs to its cluster.
    reach_ : ndarray of shape (n_clusters,)
        Widest gap from a row of each cluster to the next of it, within which a new row belongs to the cluster.

    Examples
    --------
    >>> from penstock.components.clustering.hdbscan import HDBSCAN
    >>> X = [[0.0], [1.0], [2.0], [30.0], [31.0], [32.0], [90.0]]
    >>> model = HDBSCAN(min_cluster_size=3, min_samples=2).fit(X)
    >>> model.labels_.tolist()
    [0, 0, 0, 1, 1, 1, -1]
    >>> model.predict([[1.5], [60.0]]).tolist()
    [0, -1]
    """

    assignment_rule: ClassVar[str] = (
        "the cluster of the nearest row that was trained on and is no noise, if it is no further than the widest gap "
        "between neighbours of that cluster, or noise goes to the nearest cluster; else noise (-1)"
    )

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ByDissimilarity.dissimilarity_constraints,
        "min_cluster_size": [Interval(Integral, 2, None, closed="left")],
        "min_samples": [Interval(Integral, 1, None, closed="left"), None],
        "selection": [StrOptions({"eom", "leaf"})],
        "merge_below": [Interval(Real, 0, None, closed="left")],
        "single": ["boolean"],
        "noise": [StrOptions({"apart", "nearest"})],
    }

    def __init__(
        self,
        min_cluster_size: int = 5,
        *,
        min_samples: int | None = None,
        selection: str = "eom",
        merge_below: float = 0.0,
        single: bool = False,
        noise: str = "apart",
        dissimilarity: str = "euclidean",
        settings: dict[str, Any] | None = None,
    ) -> None:
        self.min_cluster_size = min_cluster_size
        self.min_samples = min_samples
        self.selection = selection
        self.merge_below = merge_below
        self.single = single
        self.noise = noise
        self.dissimilarity = dissimilarity
        self.settings = settings

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = checked_rows(self, X)
        require_rows(len(X), 2)
        self.measure_ = self._measure(X)
        plain = self.dissimilarity == "euclidean"
        apart = None if plain else self.measure_.between(X)
        model = cluster.HDBSCAN(
            min_cluster_size=self.min_cluster_size,
            min_samples=min(self.min_samples or self.min_cluster_size, len(X)),
            cluster_selection_method=self.selection,
            cluster_selection_epsilon=self.merge_below,
            allow_single_cluster=self.single,
            metric="euclidean" if plain else "precomputed",
            copy=True,
        ).fit(X if plain else apart)
        self.labels_, self.probabilities_ = model.labels_.astype(np.int64), model.probabilities_
        self.row_indices_ = np.flatnonzero(self.labels_ >= 0)
        self.rows_ = X[self.row_indices_]
        self.reach_ = self._gaps(apart) if self.noise == "apart" else np.full(self.labels_.max() + 1, np.inf)
        if self.noise == "nearest":
            self.labels_ = self.predict(X)
        return self

    def predict(self, X: Any) -> Labels:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        if not len(self.rows_):
            return np.full(len(X), NOISE)
        if self.dissimilarity == "precomputed":
            apart = X[:, self.row_indices_]
            distance, place = apart.min(axis=1), apart.argmin(axis=1)
        else:
            distance, place = nearest_by(self.measure_, self.rows_, X)
        label = self.labels_[self.row_indices_[place]]
        return np.where(distance <= self.reach_[label], label, NOISE)

    def _gaps(self, apart: Array | None) -> Array:
        found = np.zeros(self.labels_.max() + 1)
        for label in range(len(found)):
            places = np.flatnonzero(self.labels_ == label)
            if apart is None:
                found[label] = widest_gap(self.rows_[self.labels_[self.row_indices_] == label])
            else:
                inside = apart[np.ix_(places, places)].copy()
                np.fill_diagonal(inside, np.inf)
                found[label] = inside.min(axis=1).max()
        return found


def widest_gap(rows: Array) -> float:
    """The largest distance of a row to the nearest other one."""
    return float(NearestNeighbors(n_neighbors=1).fit(rows).kneighbors()[0].max())
