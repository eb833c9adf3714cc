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
    """scikit-learn's, for any dissimilarity by name, with a rule for new rows.

    Parameters
    ----------
    min_cluster_size : int
        Fewer rows are no cluster.
    min_samples : int or None
        As in DBSCAN; by default as `min_cluster_size`.
    selection : {"eom", "leaf"}
        The clusters that last longest, or the smallest ones of the tree.
    merge_below : float
        Clusters less than this far apart are one.
    single : bool
        Whether one cluster of nearly everything is an answer.
    noise : {"apart", "nearest"}
        What becomes of noise: it stays noise, or goes to the cluster of the nearest row that is none.
    dissimilarity, settings
        How unlike two rows are, by name.

    Attributes
    ----------
    labels_, probabilities_
        As in scikit-learn; noise is -1 where it stays apart.
    reach_ : array
        The widest gap from a row of each cluster to the next of it.
    """

    assignment_rule: ClassVar[str] = (
        "the cluster of the nearest row that was learnt from and is no noise, if it is no further than the widest gap "
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
