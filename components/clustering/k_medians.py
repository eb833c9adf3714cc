"""K-medians: the loop of k-means with Manhattan distances and medians, which single far rows do not move."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.clustering.validity import checked_rows

Array = NDArray[np.float64]
Labels = NDArray[np.int64]


class KMedians(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """k-medians: Manhattan distances, and centres that are the medians of their rows, column by column.

    No kept library has it.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    init : array-like of shape (n_clusters, n_features) or None, default=None
        Initial centres; None draws rows with probabilities that grow with their distance to those drawn before.
    n_init : int, default=10
        Number of initialisations; the one with the least sum of distances is kept. One where `init` is given.
    max_iter : int, default=300
        Maximum number of iterations.
    random_state : int, RandomState instance or None, default=None
        Seed of the initial centres.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features_in_)
        Centres of the clusters.
    labels_ : ndarray of shape (n_samples,)
        Cluster of each training row.
    inertia_ : float
        Sum of the Manhattan distances of rows to their centre.

    Examples
    --------
    >>> from penstock.components.clustering.k_medians import KMedians
    >>> model = KMedians(2, random_state=0).fit([[0.0], [1.0], [5.0], [50.0], [52.0], [90.0]])
    >>> sorted(model.cluster_centers_.ravel().tolist())
    [1.0, 52.0]
    >>> model.inertia_
    45.0
    """

    assignment_rule: ClassVar[str] = "the cluster whose centre is at the least Manhattan distance"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "init": ["array-like", None],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        init: Any = None,
        n_init: int = 10,
        max_iter: int = 300,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = checked_rows(self, X, self.n_clusters)
        rng = check_random_state(self.random_state)
        if self.init is None:
            starts = [_spread(X, self.n_clusters, rng) for _ in range(self.n_init)]
        else:
            starts = [np.array(self.init, dtype=np.float64)]
        runs = [_descend(X, start, self.max_iter) for start in starts]
        self.labels_, self.cluster_centers_, self.inertia_, self.n_iter_ = min(runs, key=lambda run: run[2])
        return self

    def predict(self, X: Any) -> Labels:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return _nearest(X, self.cluster_centers_)[0]


def _descend(X: Array, centres: Array, steps: int) -> tuple[Labels, Array, float, int]:
    labels, apart = _nearest(X, centres)
    taken = 0
    while taken < steps:
        taken += 1
        centres = centres.copy()
        for place in range(len(centres)):
            members = X[labels == place]
            # A centre that lost all rows goes to the row worst served.
            centres[place] = np.median(members, axis=0) if len(members) else X[apart.argmax()]
        found, apart = _nearest(X, centres)
        if np.array_equal(found, labels):
            break
        labels = found
    return labels, centres, float(apart.sum()), taken


def _nearest(X: Array, centres: Array) -> tuple[Labels, Array]:
    apart = cdist(X, centres, metric="cityblock")
    return apart.argmin(axis=1), apart.min(axis=1)


def _spread(X: Array, clusters: int, rng: np.random.RandomState) -> Array:
    chosen = [int(rng.randint(len(X)))]
    gap = np.abs(X - X[chosen[0]]).sum(axis=1)
    while len(chosen) < clusters:
        chance = gap / gap.sum() if gap.sum() > 0 else None
        chosen.append(int(rng.choice(len(X), p=chance)))
        gap = np.minimum(gap, np.abs(X - X[chosen[-1]]).sum(axis=1))
    return X[chosen]
