"""Soft k-means: every row belongs to all clusters, more to the near ones; only the centres are learnt."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import kmeans_plusplus
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.clustering.validity import checked_rows

Array = NDArray[np.float64]


class SoftKMeans(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Soft k-means: a mixture of Gaussians with equal weights and one fixed variance, fitted by EM.

    scikit-learn's mixture cannot hold weights and variances fixed. Centres that the variance cannot tell apart become
    one; scale the columns, or lower the variance.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    variance : float, default=1.0
        Variance of every cluster in every direction.
    init : array-like of shape (n_clusters, n_features) or None, default=None
        Initial centres; None takes those of k-means++.
    n_init : int, default=5
        Number of initialisations; the likeliest is kept. One where `init` is given.
    max_iter : int, default=1000
        Maximum number of iterations.
    tol : float, default=1e-06
        Iterations end when no centre moves further than this.
    random_state : int, RandomState instance or None, default=None
        Seed of the initial centres.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Most probable cluster of each training row.
    cluster_centers_ : ndarray of shape (n_clusters, n_features_in_)
        Centres of the clusters.
    log_likelihood_ : float
        Log-likelihood of the training rows.

    Examples
    --------
    >>> from penstock.components.clustering.soft_k_means import SoftKMeans
    >>> model = SoftKMeans(2, variance=1.0, random_state=0).fit([[0.0], [1.0], [4.0], [5.0]])
    >>> sorted(model.cluster_centers_.ravel().round(2).tolist())
    [0.5, 4.5]
    >>> model.predict_proba([[2.5]]).round(2).tolist()
    [[0.5, 0.5]]
    """

    assignment_rule: ClassVar[str] = "the cluster in which the row has its largest share"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "variance": [Interval(Real, 0, None, closed="neither")],
        "init": ["array-like", None],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        variance: float = 1.0,
        init: Any = None,
        n_init: int = 5,
        max_iter: int = 1000,
        tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.variance = variance
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = checked_rows(self, X, self.n_clusters)
        rng = check_random_state(self.random_state)
        if self.init is None:
            starts = [kmeans_plusplus(X, self.n_clusters, random_state=rng)[0] for _ in range(self.n_init)]
        else:
            starts = [np.array(self.init, dtype=np.float64)]
        runs = [self._climb(X, start) for start in starts]
        self.cluster_centers_, self.log_likelihood_, self.n_iter_ = max(runs, key=lambda run: run[1])
        self.labels_ = shares(X, self.cluster_centers_, self.variance)[0].argmax(axis=1)
        return self

    def predict_proba(self, X: Any) -> Array:
        """The share of each row in each cluster."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return shares(X, self.cluster_centers_, self.variance)[0]

    def predict(self, X: Any) -> NDArray[np.int64]:
        return np.asarray(self.predict_proba(X).argmax(axis=1))

    def _climb(self, X: Array, centres: Array) -> tuple[Array, float, int]:
        taken, far = 0, np.inf
        while far > self.tol and taken < self.max_iter:
            taken += 1
            moved = weighted_means(X, shares(X, centres, self.variance)[0])
            far = float(np.abs(moved - centres).max())
            centres = moved
        return centres, shares(X, centres, self.variance)[1], taken


def shares(X: Array, centres: Array, variance: float = 1.0) -> tuple[Array, float]:
    """Of each row in each cluster, and the log-likelihood of all rows."""
    apart = cdist(X, centres, metric="sqeuclidean")
    columns = X.shape[1]
    log = -apart / (2 * variance) - columns / 2 * np.log(2 * np.pi * variance) - np.log(len(centres))
    total = logsumexp(log, axis=1, keepdims=True)
    return np.exp(log - total), float(total.sum())


def weighted_means(X: Array, weights: Array) -> Array:
    found: Array = weights.T @ X / np.maximum(weights.sum(axis=0), np.finfo(float).tiny)[:, None]
    return found
