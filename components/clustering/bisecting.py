"""One cluster, split in two by 2-means, again and again."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn import cluster

from penstock.components.clustering.validity import require_rows


class BisectingKMeans(cluster.BisectingKMeans):  # type: ignore[misc]
    """scikit-learn's bisecting k-means: one cluster, split in two by 2-means again and again.

    Every split depends on its initial centres, and heights need not fall: the tree is one of many.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    init : {"k-means++", "random"} or callable, default="random"
        How the two centres of a split are chosen.
    n_init : int, default=1
        Initialisations of each split; the one with the least inertia is kept.
    random_state : int, RandomState instance or None, default=None
        Seed of the initial centres.
    max_iter : int, default=300
        Maximum number of iterations of each split.
    verbose : int, default=0
        Verbosity.
    tol : float, default=0.0001
        A split has converged when its centres move by less than this, relative to the variance of the rows.
    copy_x : bool, default=True
        Whether the rows are copied before they are centred.
    algorithm : {"lloyd", "elkan"}, default="lloyd"
        Algorithm of each split.
    bisecting_strategy : {"biggest_inertia", "largest_cluster"}, default="biggest_inertia"
        Whether the cluster with the most inertia or the one with the most rows is split next.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features_in_)
        Centres of the clusters.
    labels_ : ndarray of shape (n_samples,)
        Cluster of each training row.
    inertia_ : float
        Sum of squared distances of rows to their centre.

    Examples
    --------
    >>> from penstock.components.clustering.bisecting import BisectingKMeans
    >>> model = BisectingKMeans(2, n_init=5, random_state=0).fit([[0.0], [1.0], [10.0], [11.0]])
    >>> sorted(model.cluster_centers_.ravel().tolist())
    [0.5, 10.5]
    >>> model.inertia_
    1.0
    """

    assignment_rule: ClassVar[str] = "down the tree of splits, each time to the side with the nearer centre"

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        super().fit(X, y, sample_weight)
        del self._kmeans_single  # a function, which a saved model should not hold
        return self

    def _check_params_vs_input(self, X: Any) -> None:
        require_rows(X.shape[0], self.n_clusters)
        super()._check_params_vs_input(X)
