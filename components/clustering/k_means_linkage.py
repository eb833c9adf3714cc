"""K-means into many small groups, then a tree over the groups: any shape, at the cost of k-means."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.clustering.agglomerative import LINKAGES, cut
from penstock.components.clustering.base import nearest
from penstock.components.clustering.validity import checked_rows

Labels = NDArray[np.int64]


class KMeansLinkage(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """k-means with many groups whose centres are merged by linkage; a row belongs to the cluster of its group.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    groups : int, default=30
        Number of groups of k-means, many more than clusters; as many as rows where these are fewer.
    linkage : {"single", "complete", "average", "centroid", "ward"}, default="single"
        How the groups' centres are merged.
    n_init : int, default=3
        Initialisations of k-means.
    random_state : int, RandomState instance or None, default=None
        Seed of k-means.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each training row.
    group_centers_ : ndarray of shape (n_groups, n_features_in_)
        Centres of the groups.
    group_labels_ : ndarray of shape (n_groups,)
        Cluster of each group.
    merges_ : ndarray of shape (n_groups - 1, 4)
        The tree over the groups, as scipy's linkage.

    Examples
    --------
    >>> from penstock.components.clustering.k_means_linkage import KMeansLinkage
    >>> model = KMeansLinkage(2, groups=3, random_state=0).fit([[0.0], [1.0], [3.0], [20.0], [20.5]])
    >>> model.labels_.tolist()
    [0, 0, 0, 1, 1]
    >>> model.group_centers_.shape
    (3, 1)
    """

    assignment_rule: ClassVar[str] = "the cluster of the nearest of many small groups' centres"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "groups": [Interval(Integral, 2, None, closed="left")],
        "linkage": [StrOptions(set(LINKAGES))],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        groups: int = 30,
        linkage: str = "single",
        n_init: int = 3,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.groups = groups
        self.linkage = linkage
        self.n_init = n_init
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = checked_rows(self, X, self.n_clusters)
        rng = check_random_state(self.random_state)
        groups = min(max(self.groups, self.n_clusters), len(np.unique(X, axis=0)))
        model = KMeans(groups, n_init=self.n_init, random_state=rng).fit(X)
        self.group_centers_ = model.cluster_centers_
        apart = pdist(self.group_centers_)
        self.merges_ = np.asarray(linkage(apart, method=self.linkage)) if groups > 1 else np.zeros((0, 4))
        self.group_labels_ = cut(self.merges_, max(groups - self.n_clusters, 0))
        self.labels_ = self.group_labels_[model.labels_]
        return self

    def predict(self, X: Any) -> Labels:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        found: Labels = self.group_labels_[nearest(self.group_centers_, X)[1]]
        return found
