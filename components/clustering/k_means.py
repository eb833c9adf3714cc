"""K-means with the starts and the rule for empty clusters that books name."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn import cluster
from sklearn.metrics import pairwise_distances_argmin_min
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import StrOptions

from penstock.components.clustering.starts import STARTS, means
from penstock.components.clustering.validity import checked_rows, require_difference, require_rows

Array = NDArray[np.float64]


class KMeans(cluster.KMeans):  # type: ignore[misc]
    """scikit-learn's k-means (Lloyd, Elkan) with more initialisations and a choice for clusters that lose all rows.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    init : str, callable or array-like of shape (n_clusters, n_features), default="k-means++"
        "k-means++", "random" (rows), "random-partition" (means of rows thrown into groups), "furthest-first",
        "over-seeded" (K ln K centres, the closest merged until K are left), or as in scikit-learn.
    n_init : int or "auto", default=10
        Number of initialisations; the one with the least inertia is kept.
    max_iter : int, default=300
        Maximum number of iterations.
    tol : float, default=0.0001
        Iterations end when the centres move by less than this, relative to the variance of the rows.
    verbose : int, default=0
        Verbosity.
    random_state : int, RandomState instance or None, default=None
        Seed of the initial centres.
    copy_x : bool, default=True
        Whether the rows are copied before they are centred.
    algorithm : {"lloyd", "elkan"}, default="lloyd"
        The classical algorithm, or the one that saves distances by the triangle inequality.
    empty : {"relocate", "keep"}, default="relocate"
        A cluster that loses all rows gets the row furthest from its centre (scikit-learn), or keeps its old centre.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features_in_)
        Centres of the clusters.
    labels_ : ndarray of shape (n_samples,)
        Cluster of each training row.
    inertia_ : float
        Sum of squared distances of rows to their centre.
    n_iter_ : int
        Number of iterations.

    Examples
    --------
    >>> from penstock.components.clustering.k_means import KMeans
    >>> model = KMeans(2, init="furthest-first", random_state=0).fit([[0.0], [1.0], [10.0], [11.0]])
    >>> sorted(model.cluster_centers_.ravel().tolist())
    [0.5, 10.5]
    >>> model.inertia_
    1.0
    """

    assignment_rule: ClassVar[str] = "the cluster with the nearest centre"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **cluster.KMeans._parameter_constraints,
        "init": [StrOptions({"k-means++", "random", *STARTS}), callable, "array-like"],
        "empty": [StrOptions({"relocate", "keep"})],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        init: Any = "k-means++",
        n_init: Any = 10,
        max_iter: int = 300,
        tol: float = 1e-4,
        verbose: int = 0,
        random_state: Any = None,
        copy_x: bool = True,
        algorithm: str = "lloyd",
        empty: str = "relocate",
    ) -> None:
        super().__init__(
            n_clusters=n_clusters,
            init=init,
            n_init=n_init,
            max_iter=max_iter,
            tol=tol,
            verbose=verbose,
            random_state=random_state,
            copy_x=copy_x,
            algorithm=algorithm,
        )
        self.empty = empty

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        if self.empty == "keep":
            return self._fit_keeping(X)
        super().fit(X, y, sample_weight)
        return self

    def _check_params_vs_input(self, X: Any) -> None:
        require_rows(X.shape[0], self.n_clusters)
        if not issparse(X):
            require_difference(X, self.n_clusters)
        super()._check_params_vs_input(X)

    def _init_centroids(self, X: Any, x_squared_norms: Any, init: Any, random_state: Any, **given: Any) -> Any:
        if isinstance(init, str) and init in STARTS:
            dense = X.toarray() if issparse(X) else X
            clusters = given.get("n_centroids") or self.n_clusters
            return np.ascontiguousarray(STARTS[init](dense, clusters, random_state), dtype=X.dtype)
        return super()._init_centroids(X, x_squared_norms, init, random_state, **given)

    def _fit_keeping(self, X: Any) -> Self:
        """Lloyd's loop by hand: the library has no way to leave an empty cluster where it is."""
        self._validate_params()
        rows = checked_rows(self, X, self.n_clusters)
        self._check_params_vs_input(rows)
        rng = check_random_state(self.random_state)
        norms = (rows**2).sum(axis=1)
        given = {"x_squared_norms": norms, "random_state": rng, "sample_weight": np.ones(len(rows))}
        runs = []
        for _ in range(self._n_init):
            init = self.init if isinstance(self.init, str) or callable(self.init) else np.array(self.init, dtype=float)
            runs.append(lloyd_keeping(rows, self._init_centroids(rows, init=init, **given), self.max_iter))
        self.labels_, self.cluster_centers_, inertias, self.n_iter_ = min(runs, key=lambda run: run[2][-1])
        self.inertia_ = inertias[-1]
        self._n_threads, self._n_features_out = 1, len(self.cluster_centers_)
        return self


def lloyd_keeping(X: Array, centres: Array, steps: int) -> tuple[NDArray[np.int32], Array, list[float], int]:
    """Assign, average, until labels stay: labels, centres, the objective after every assignment, steps taken."""
    labels, objective = np.full(len(X), -1, dtype=np.int32), []
    for step in range(steps):
        found, apart = pairwise_distances_argmin_min(X, centres, metric="sqeuclidean")
        objective.append(float(apart.sum()))
        if np.array_equal(found, labels):
            return labels, centres, objective, step
        labels = found.astype(np.int32)
        filled = np.bincount(labels, minlength=len(centres)) > 0
        centres = np.where(filled[:, None], means(X, found, len(centres)), centres)
    found, apart = pairwise_distances_argmin_min(X, centres, metric="sqeuclidean")
    return found.astype(np.int32), centres, [*objective, float(apart.sum())], steps
