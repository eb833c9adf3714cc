"""K-means on small random batches, for very many rows."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn import cluster

from penstock.components.clustering.validity import require_rows


class MiniBatchKMeans(cluster.MiniBatchKMeans):  # type: ignore[misc]
    """scikit-learn's mini-batch k-means; its memory is the rows themselves and one batch.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    init : {"k-means++", "random"}, callable or array-like, default="k-means++"
        How the initial centres are chosen.
    max_iter : int, default=100
        Maximum number of passes over the rows.
    batch_size : int, default=1024
        Number of rows of a batch.
    verbose : int, default=0
        Verbosity.
    compute_labels : bool, default=True
        Whether labels and inertia of all training rows are computed in the end.
    random_state : int, RandomState instance or None, default=None
        Seed of the initial centres and the batches.
    tol : float, default=0.0
        Passes end when the centres move by less than this, relative to the variance of the rows; 0 turns this off.
    max_no_improvement : int or None, default=10
        Number of batches without a gain after which it ends; None turns this off.
    init_size : int or None, default=None
        Number of rows drawn for the initialisation; None takes three batches, or three times `n_clusters` where that is
        more.
    n_init : int or "auto", default="auto"
        Number of initialisations tried; "auto" takes one with "k-means++" or an array, and three otherwise.
    reassignment_ratio : float, default=0.01
        Centres with fewer rows than this share of the largest cluster's are moved.

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
    >>> from penstock.components.clustering.mini_batch import MiniBatchKMeans
    >>> model = MiniBatchKMeans(2, random_state=0).fit([[0.0], [1.0], [10.0], [11.0]])
    >>> model.predict([[0.0], [9.0]]).tolist() == model.labels_[[0, 2]].tolist()
    True
    >>> len(model.cluster_centers_)
    2
    """

    assignment_rule: ClassVar[str] = "the cluster with the nearest centre"

    def _check_params_vs_input(self, X: Any) -> None:
        require_rows(X.shape[0], self.n_clusters)
        super()._check_params_vs_input(X)
