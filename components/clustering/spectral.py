"""Spectral clustering: rows as a graph of neighbours, its slowest vibrations as coordinates, k-means on these."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans
from sklearn.manifold import spectral_embedding
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import kneighbors_graph
from sklearn.preprocessing import normalize
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from penstock.components.clustering.base import NearestRow
from penstock.components.clustering.validity import checked_rows
from penstock.components.dissimilarity.measure import Measure

Array = NDArray[np.float64]


class Spectral(NearestRow, ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Spectral clustering: k-means on the eigenvectors of a graph of the rows.

    By default it is Ng and Jordan's, on scikit-learn's parts; its own class leaves out that rows are brought to length
    one.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    laplacian : {"ng-jordan", "unnormalised"}, default="ng-jordan"
        D^-1/2 (D - A) D^-1/2 with rows of the eigenvectors brought to length one; or D - A as it is.
    affinity : {"neighbours", "gaussian", "precomputed"}, default="neighbours"
        Which rows are joined: each with its nearest ones; all, by exp(-gamma d²); or X is the matrix of the graph.
    neighbours : int, default=10
        Number of nearest rows that each row is joined with.
    gamma : float or None, default=None
        gamma of the Gaussian affinity; None takes one over the number of columns.
    n_init : int, default=10
        Initialisations of k-means.
    random_state : int, RandomState instance or None, default=None
        Seed of k-means.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each training row.
    embedding_ : ndarray of shape (n_samples, n_clusters)
        The rows' coordinates in the eigenvectors.

    Examples
    --------
    >>> from penstock.components.clustering.spectral import Spectral
    >>> model = Spectral(2, affinity="gaussian", random_state=0).fit([[0.0], [1.0], [10.0], [11.0]])
    >>> model.labels_.tolist()
    [1, 1, 0, 0]
    """

    assignment_rule: ClassVar[str] = (
        "the cluster of the nearest row that was trained on, since a new row has no place in the graph of the old"
    )

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "laplacian": [StrOptions({"ng-jordan", "unnormalised"})],
        "affinity": [StrOptions({"neighbours", "gaussian", "precomputed"})],
        "neighbours": [Interval(Integral, 1, None, closed="left")],
        "gamma": [Interval(Real, 0, None, closed="neither"), None],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        laplacian: str = "ng-jordan",
        affinity: str = "neighbours",
        neighbours: int = 10,
        gamma: float | None = None,
        n_init: int = 10,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.laplacian = laplacian
        self.affinity = affinity
        self.neighbours = neighbours
        self.gamma = gamma
        self.n_init = n_init
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.affinity == "precomputed"
        return tags

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = checked_rows(self, X, self.n_clusters)
        rng = check_random_state(self.random_state)
        self.measure_ = Measure("precomputed" if self.affinity == "precomputed" else "euclidean").fit(X)
        self.rows_ = X
        self.embedding_ = self._embed(self._graph(X), rng)
        self.labels_ = KMeans(self.n_clusters, n_init=self.n_init, random_state=rng).fit(self.embedding_).labels_
        return self

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Where the graph is given, new rows come as affinities to the training rows: the strongest decides."""
        if self.affinity == "precomputed":
            return self.labels_[np.asarray(X).argmax(axis=1)]  # type: ignore[no-any-return]
        return super().predict(X)

    def _graph(self, X: Array) -> Any:
        if self.affinity == "precomputed":
            return X
        if self.affinity == "gaussian":
            return rbf_kernel(X, gamma=self.gamma)
        joined = (
            kneighbors_graph(X, min(self.neighbours, len(X) - 1), include_self=True) if len(X) > 1 else np.ones((1, 1))
        )
        return 0.5 * (joined + joined.T)

    def _embed(self, graph: Any, rng: np.random.RandomState) -> Array:
        normed = self.laplacian == "ng-jordan"
        size = graph.shape[0]
        if size <= DENSE:
            coordinates = lowest_eigenvectors(graph.toarray() if issparse(graph) else graph, self.n_clusters, normed)
        else:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Graph is not fully connected", UserWarning)
                coordinates = spectral_embedding(
                    graph, n_components=self.n_clusters, norm_laplacian=normed, drop_first=False, random_state=rng
                )
        return np.asarray(normalize(coordinates) if normed else coordinates)


DENSE = 1000
"""Up to so many rows the matrix is held whole, which is quicker and the same to the bit."""


def lowest_eigenvectors(graph: Array, count: int, normed: bool) -> Array:
    """Of the graph's Laplacian, as columns, the smallest eigenvalue first."""
    wanted = (0, min(count, len(graph)) - 1)
    return np.asarray(eigh(laplacian(graph, normed), subset_by_index=wanted, check_finite=False)[1])


def laplacian(graph: Array, normed: bool) -> Array:
    """D - A, or D^-1/2 (D - A) D^-1/2; a row that is joined to none has a zero in both."""
    degree = graph.sum(axis=1)
    plain: Array = np.diag(degree) - graph
    if not normed:
        return plain
    root = np.divide(1.0, np.sqrt(degree), out=np.zeros_like(degree), where=degree > 0)
    return np.asarray(plain * root[:, None] * root[None])
