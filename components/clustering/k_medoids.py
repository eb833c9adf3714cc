"""K-medoids: the centre of a cluster is one of its rows; any dissimilarity will do."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.clustering.base import ByDissimilarity, nearest_by
from penstock.components.clustering.validity import checked_rows

Array = NDArray[np.float64]
Places = NDArray[np.int64]


class KMedoids(ByDissimilarity, ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """k-medoids by any dissimilarity: the centre of a cluster is the row least dissimilar to all its rows.

    Rows go to the nearest medoid and medoids are chosen anew, until both stay. No library that may be shipped with
    Penstock has it. A matrix of rows by rows is held.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    dissimilarity : str, default="euclidean"
        Dissimilarity of two rows, one of the names that `penstock.components.dissimilarity.measure.Measure` knows.
    settings : dict or None, default=None
        Settings of the dissimilarity, such as `{"power": 3}` of minkowski.
    init : {"random", "spread"}, default="spread"
        Random rows, or rows drawn with probabilities that grow with the dissimilarity to those drawn before (as
        k-means++).
    n_init : int, default=10
        Number of initialisations; the one with the least sum of dissimilarities is kept.
    max_iter : int, default=300
        Maximum number of iterations.
    random_state : int, RandomState instance or None, default=None
        Seed of the initial medoids.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each training row.
    medoid_indices_ : ndarray of shape (n_clusters,)
        Indices of the training rows that are medoids.
    inertia_ : float
        Sum of the dissimilarities of rows to their medoid.

    Examples
    --------
    >>> from penstock.components.clustering.k_medoids import KMedoids
    >>> model = KMedoids(2, dissimilarity="manhattan", random_state=0).fit([[0.0], [1.0], [3.0], [50.0], [52.0]])
    >>> sorted(model.medoid_indices_.tolist())
    [1, 3]
    >>> model.inertia_
    5.0
    """

    assignment_rule: ClassVar[str] = "the cluster whose medoid, a typical row, is least unlike"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ByDissimilarity.dissimilarity_constraints,
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "init": [StrOptions({"random", "spread"})],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        dissimilarity: str = "euclidean",
        settings: dict[str, Any] | None = None,
        init: str = "spread",
        n_init: int = 10,
        max_iter: int = 300,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.dissimilarity = dissimilarity
        self.settings = settings
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = checked_rows(self, X, self.n_clusters)
        self.measure_ = self._measure(X)
        apart = self.measure_.between(X)
        rng = check_random_state(self.random_state)
        draw = _spread if self.init == "spread" else _by_lot
        runs = [alternate(apart, draw(apart, self.n_clusters, rng), self.max_iter) for _ in range(self.n_init)]
        self.medoid_indices_, self.labels_, self.inertia_, self.n_iter_ = min(runs, key=lambda run: run[2])
        self.medoids_ = X[self.medoid_indices_]
        return self

    def predict(self, X: Any) -> Places:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        if self.dissimilarity == "precomputed":
            return X[:, self.medoid_indices_].argmin(axis=1)  # type: ignore[no-any-return]
        return nearest_by(self.measure_, self.medoids_, X)[1]


def alternate(apart: Array, medoids: Places, steps: int) -> tuple[Places, Places, float, int]:
    """Medoids, labels, cost and steps, from a matrix of dissimilarities and the rows to start from."""
    taken = 0
    while taken < steps:
        taken += 1
        labels = _assign(apart, medoids)
        moved = np.array([_central(apart, np.flatnonzero(labels == place)) for place in range(len(medoids))])
        if np.array_equal(moved, medoids):
            break
        medoids = moved
    labels = _assign(apart, medoids)
    return medoids, labels, float(apart[np.arange(len(apart)), medoids[labels]].sum()), taken


def _assign(apart: Array, medoids: Places) -> Places:
    labels: Places = apart[:, medoids].argmin(axis=1)
    labels[medoids] = np.arange(len(medoids))  # equal rows may be two medoids; neither cluster is to be empty
    return labels


def _central(apart: Array, members: Places) -> int:
    return int(members[apart[np.ix_(members, members)].sum(axis=0).argmin()])


def _by_lot(apart: Array, clusters: int, rng: np.random.RandomState) -> Places:
    return np.sort(rng.choice(len(apart), clusters, replace=False))


def _spread(apart: Array, clusters: int, rng: np.random.RandomState) -> Places:
    chosen = [int(rng.randint(len(apart)))]
    gap = apart[:, chosen[0]].copy()
    while len(chosen) < clusters:
        gap[chosen] = 0.0
        free = np.setdiff1d(np.arange(len(apart)), chosen)
        chance = gap / gap.sum() if gap.sum() > 0 else None
        chosen.append(int(rng.choice(len(apart), p=chance) if chance is not None else rng.choice(free)))
        gap = np.minimum(gap, apart[:, chosen[-1]])
    return np.array(chosen)
