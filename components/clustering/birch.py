"""BIRCH: rows summed up in a tree of small groups as they come, then the groups clustered."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from sklearn import cluster
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_random_state, gen_batches
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.clustering.agglomerative import cut
from penstock.components.clustering.base import nearest
from penstock.components.clustering.validity import checked_rows

SAMPLE = 2000
BATCH = 20_000
WIDEN = 1.5


class Birch(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """BIRCH: k-means-like groups in one pass over the rows, merged by Ward's linkage, in bounded memory.

    It is scikit-learn's tree with a threshold that grows until the groups are few. With a threshold that is too small
    every row is a group of its own, and the tree over the groups quadratic; the original method grows the threshold,
    scikit-learn's does not.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters, by Ward's linkage over the groups.
    threshold : float or "auto", default="auto"
        Radius of a group; "auto" begins with what a sample of the rows needs and grows.
    most_groups : int, default=2000
        Maximum number of groups: where there are more, the tree is built again with a larger threshold.
    random_state : int, RandomState instance or None, default=None
        Seed of the sample.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each training row.
    threshold_ : float
        The final threshold.
    group_centers_ : ndarray of shape (n_groups, n_features_in_)
        Centres of the groups.
    group_labels_ : ndarray of shape (n_groups,)
        Cluster of each group.

    Examples
    --------
    >>> from penstock.components.clustering.birch import Birch
    >>> model = Birch(2, random_state=0).fit([[0.0], [1.0], [2.0], [20.0], [21.0]])
    >>> model.labels_.tolist()
    [0, 0, 0, 1, 1]
    >>> model.predict([[19.0]]).tolist()
    [1]
    """

    assignment_rule: ClassVar[str] = "the cluster of the nearest of many small groups' centres"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "threshold": [Interval(Real, 0, None, closed="neither"), StrOptions({"auto"})],
        "most_groups": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        threshold: Any = "auto",
        most_groups: int = 2000,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.threshold = threshold
        self.most_groups = most_groups
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = checked_rows(self, X, self.n_clusters)
        self.threshold_ = self._first_threshold(X)
        centres = _groups(X, self.threshold_, self.most_groups)
        while centres is None:
            self.threshold_ *= WIDEN
            centres = _groups(X, self.threshold_, self.most_groups)
        while len(centres) < self.n_clusters and self.threshold_ > 0:
            finer = self.threshold_ / WIDEN
            more = _groups(X, finer, self.most_groups)
            if more is None or finer < np.finfo(float).tiny:
                break
            centres, self.threshold_ = more, finer
        self.group_centers_ = centres
        merges = linkage(centres, method="ward") if len(centres) > 1 else np.zeros((0, 4))
        self.group_labels_ = cut(merges, max(len(centres) - self.n_clusters, 0))
        self.labels_ = self._assigned(X)
        return self

    def predict(self, X: Any) -> NDArray[np.int64]:
        check_is_fitted(self)
        return self._assigned(validate_data(self, X, dtype=np.float64, reset=False))

    def _assigned(self, X: Any) -> NDArray[np.int64]:
        found: NDArray[np.int64] = self.group_labels_[nearest(self.group_centers_, X)[1]]
        return found

    def _first_threshold(self, X: Any) -> float:
        """So wide that a sample makes a quarter of the groups that are allowed."""
        if self.threshold != "auto":
            return float(self.threshold)
        rng = check_random_state(self.random_state)
        sample = X[rng.choice(len(X), min(SAMPLE, len(X)), replace=False)]
        usual = np.median(NearestNeighbors(n_neighbors=1).fit(sample).kneighbors()[0]) if len(sample) > 1 else 0.0
        threshold = float(usual) or 1e-3 * (float(sample.std()) or 1.0)
        while _groups(sample, threshold, max(self.most_groups // 4, 2)) is None:
            threshold *= WIDEN
        return threshold


def _groups(X: Any, threshold: float, most: int) -> Any:
    """Centres of the groups, or None as soon as there are too many."""
    model = cluster.Birch(threshold=threshold, n_clusters=None, compute_labels=False)
    for some in gen_batches(len(X), BATCH):
        model.partial_fit(X[some])
        if len(model.subcluster_centers_) > most:
            return None
    return model.subcluster_centers_
