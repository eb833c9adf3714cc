"""Mean shift: every row climbs to the nearest peak of the density; a peak is a cluster."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn import cluster
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils._param_validation import Interval

from penstock.components.clustering.base import NearestCentre
from penstock.components.clustering.validity import checked_rows

MAX_ROWS = 1000
"""So many rows are enough to see how wide the kernel should be."""


class MeanShift(NearestCentre, ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Mean shift: clusters are the peaks of a kernel density that rows climb to.

    It is scikit-learn's, with a bandwidth from a sample of the rows, so that many rows do not need all pairs.

    Parameters
    ----------
    bandwidth : float or None, default=None
        Bandwidth of the kernel; None estimates it from the distances of neighbours.
    quantile : float, default=0.3
        Share of the rows that the kernel reaches, where the bandwidth is estimated.
    random_state : int, RandomState instance or None, default=None
        Seed of the sample.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each training row.
    cluster_centers_ : ndarray of shape (n_clusters, n_features_in_)
        The peaks.
    bandwidth_ : float
        The bandwidth of the kernel.

    Examples
    --------
    >>> from penstock.components.clustering.mean_shift import MeanShift
    >>> model = MeanShift(bandwidth=3.0).fit([[0.0], [1.0], [20.0], [21.0]])
    >>> sorted(model.cluster_centers_.ravel().tolist())
    [0.5, 20.5]
    """

    assignment_rule: ClassVar[str] = "the cluster with the nearest peak of the density"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "bandwidth": [Interval(Real, 0, None, closed="neither"), None],
        "quantile": [Interval(Real, 0, 1, closed="right")],
        "random_state": ["random_state"],
    }

    def __init__(self, bandwidth: float | None = None, *, quantile: float = 0.3, random_state: Any = None) -> None:
        self.bandwidth = bandwidth
        self.quantile = quantile
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = checked_rows(self, X)
        self.bandwidth_ = float(self.bandwidth or self._usual_width(X))
        model = cluster.MeanShift(bandwidth=self.bandwidth_, bin_seeding=True).fit(X)
        self.labels_: NDArray[np.int64] = model.labels_
        self.cluster_centers_ = model.cluster_centers_
        self.n_iter_ = model.n_iter_
        return self

    def _usual_width(self, X: Any) -> float:
        width = cluster.estimate_bandwidth(
            X, quantile=self.quantile, n_samples=min(MAX_ROWS, len(X)), random_state=self.random_state
        )
        return float(width) or 1.0  # zero where most rows are equal
