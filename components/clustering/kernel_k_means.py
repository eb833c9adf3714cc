"""K-means in the space of a kernel, whose centres are never formed."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state, gen_batches
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.clustering.base import BATCH
from penstock.components.clustering.validity import checked_rows
from penstock.components.dissimilarity.kernels import KERNELS, kernel

Array = NDArray[np.float64]
Labels = NDArray[np.int64]


class KernelKMeans(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """k-means in the space of a kernel.

    A row goes to the cluster with the least squared distance to its mean there, K(x, x) - 2 mean of K(x, y) over its
    rows y + mean of K(y, z) over all pairs y, z of its rows. scikit-learn has none, and tslearn's leaves the last term
    out. A matrix of rows by rows is held.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    kernel : {"gaussian", "polynomial", "sigmoid", "exponential", "geometric", "precomputed"}, default="gaussian"
        The kernel; with "precomputed" X is the matrix itself, and for new rows one of these by the training rows.
    settings : dict or None, default=None
        Settings of the kernel: gamma or width; degree and constant; slope and constant.
    n_init : int, default=20
        Number of random initial partitions; the one with the least inertia is kept.
    max_iter : int, default=300
        Maximum number of iterations.
    random_state : int, RandomState instance or None, default=None
        Seed of the initial partitions.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each training row.
    inertia_ : float
        Sum of squared distances to the means.

    Examples
    --------
    >>> from penstock.components.clustering.kernel_k_means import KernelKMeans
    >>> square = {"degree": 2, "constant": 0.0}
    >>> model = KernelKMeans(2, kernel="polynomial", settings=square, random_state=0)
    >>> model.fit([[-3.0], [-0.1], [0.1], [3.0]]).labels_.tolist()
    [0, 1, 1, 0]
    """

    assignment_rule: ClassVar[str] = "the cluster whose mean is nearest in the space of the kernel"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "kernel": [StrOptions({*KERNELS, "precomputed"})],
        "settings": [dict, None],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        kernel: str = "gaussian",
        settings: dict[str, Any] | None = None,
        n_init: int = 20,
        max_iter: int = 300,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.settings = settings
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = checked_rows(self, X, self.n_clusters)
        gram = self._gram(X)
        rng = check_random_state(self.random_state)
        runs = [
            _descend(gram, rng.permutation(np.arange(len(X)) % self.n_clusters), self.n_clusters, self.max_iter)
            for _ in range(self.n_init)
        ]
        self.labels_, self.inertia_, self.n_iter_ = min(runs, key=lambda run: run[1])
        self.rows_ = X
        members = _members(self.labels_, self.n_clusters)
        self.shares_ = members / np.maximum(members.sum(axis=0), 1)
        self.offsets_ = np.einsum("ik,ik->k", self.shares_, gram @ self.shares_)
        return self

    def predict(self, X: Any) -> Labels:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        labels = np.zeros(len(X), dtype=np.int64)
        for some in gen_batches(len(X), max(1, BATCH // len(self.rows_))):
            near = (X[some] if self.kernel == "precomputed" else self._gram(X[some], self.rows_)) @ self.shares_
            labels[some] = (self.offsets_ - 2 * near).argmin(axis=1)  # K(x, x) is the same for all clusters
        return labels

    def _gram(self, X: Array, Y: Array | None = None) -> Array:
        return X if self.kernel == "precomputed" else kernel(self.kernel, X, Y, **(self.settings or {}))


def squared_distances(gram: Array, labels: Labels, clusters: int) -> Array:
    """Of each row to the mean of each cluster; infinite to an empty one."""
    members = _members(labels, clusters)
    sizes = members.sum(axis=0)
    sums = gram @ members
    within = np.einsum("ik,ik->k", members, sums)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.diag(gram)[:, None] - 2 * sums / sizes + within / sizes**2
    apart[:, sizes == 0] = np.inf
    return np.asarray(apart)


def _descend(gram: Array, labels: Labels, clusters: int, steps: int) -> tuple[Labels, float, int]:
    rows = np.arange(len(gram))
    taken = 0
    while taken < steps:
        taken += 1
        apart = squared_distances(gram, labels, clusters)
        found = apart.argmin(axis=1)
        for empty in np.setdiff1d(np.arange(clusters), found):
            # Alone in a cluster a row is at its mean, so this only lowers the objective.
            worst = int(apart[rows, found].argmax())
            found[worst], apart[worst] = empty, 0.0
        if np.array_equal(found, labels):
            break
        labels = found
    objective = float(squared_distances(gram, labels, clusters)[rows, labels].sum())
    return labels, objective, taken


def _members(labels: Labels, clusters: int) -> Array:
    members = np.zeros((len(labels), clusters))
    members[np.arange(len(labels)), labels] = 1.0
    return members
