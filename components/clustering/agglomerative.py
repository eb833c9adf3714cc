"""Hierarchical clustering from below: the least unlike two clusters become one, until one is left."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from penstock.components.clustering.base import ByDissimilarity, NearestRow, numbered
from penstock.components.clustering.validity import checked_rows
from penstock.components.dissimilarity.levels import AS_COLUMNS
from penstock.errors import ClusteringError

LINKAGES = ("single", "complete", "average", "centroid", "ward")
_EUCLIDEAN_ONLY = ("centroid", "ward")
_MAY_HAVE_MEANS = ("euclidean", "precomputed", AS_COLUMNS)

Array = NDArray[np.float64]
Labels = NDArray[np.int64]


class Agglomerative(NearestRow, ByDissimilarity, ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Agglomerative clustering by any dissimilarity, with the whole tree and a cut by height.

    It is scipy's linkage as an estimator; scikit-learn's has neither centroid linkage nor heights beside a number of
    clusters. All pairs of rows are held in memory.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters that the tree is cut into; ignored where `height` is given.
    linkage : {"single", "complete", "average", "centroid", "ward"}, default="ward"
        Dissimilarity of two clusters: of their nearest rows, of their furthest, the mean over pairs, of their means,
        or by how much the sum of squares grows. The last two are for euclidean alone.
    height : float or None, default=None
        Cut the tree at this dissimilarity: clusters that are less dissimilar become one.
    dissimilarity : str, default="euclidean"
        Dissimilarity of two rows, one of the names that `penstock.components.dissimilarity.measure.Measure` knows.
    settings : dict or None, default=None
        Settings of the dissimilarity, such as `{"power": 3}` of minkowski.
    ties : {"first", "random"}, default="first"
        Which of equally dissimilar pairs merges first: the first one, or one drawn at random.
    random_state : int, RandomState instance or None, default=None
        Seed of random ties.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each training row.
    n_clusters_ : int
        Number of clusters found.
    merges_ : ndarray of shape (n_samples - 1, 4)
        As scipy's linkage: the two that merge, their dissimilarity (the height), the rows of both.
    monotone_ : bool
        Whether no merge is lower than one before it; centroid linkage can break this.

    Examples
    --------
    >>> from penstock.components.clustering.agglomerative import Agglomerative
    >>> model = Agglomerative(2, linkage="average").fit([[0.0], [1.0], [10.0], [12.0]])
    >>> model.labels_.tolist()
    [0, 0, 1, 1]
    >>> model.merges_[:, 2].tolist()
    [1.0, 2.0, 10.5]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ByDissimilarity.dissimilarity_constraints,
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "linkage": [StrOptions(set(LINKAGES))],
        "height": [Interval(Real, 0, None, closed="left"), None],
        "ties": [StrOptions({"first", "random"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        linkage: str = "ward",
        height: float | None = None,
        dissimilarity: str = "euclidean",
        settings: dict[str, Any] | None = None,
        ties: str = "first",
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.linkage = linkage
        self.height = height
        self.dissimilarity = dissimilarity
        self.settings = settings
        self.ties = ties
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        if self.linkage in _EUCLIDEAN_ONLY and self.dissimilarity not in _MAY_HAVE_MEANS:
            raise ClusteringError(
                "PEN337",
                f"{self.linkage} linkage works with means of rows, which '{self.dissimilarity}' does not have",
                where="models: agglomerative",
                remedy="choose single, complete or average linkage, or leave the dissimilarity euclidean",
            )
        X = checked_rows(self, X, 1 if self.height is not None else self.n_clusters)
        self.measure_ = self._measure(X)
        self.merges_ = self._tree(X)
        self.monotone_ = bool((np.diff(self.merges_[:, 2]) >= 0).all())
        count = len(X) - self.n_clusters if self.height is None else merges_below(self.merges_, self.height)
        self.labels_ = cut(self.merges_, count)
        self.n_clusters_ = len(X) - count
        self.rows_ = X
        return self

    def _tree(self, X: Array) -> Array:
        if len(X) == 1:
            return np.zeros((0, 4))
        if self.ties == "first":
            return np.asarray(linkage(self.measure_.condensed(X), method=self.linkage))
        order = check_random_state(self.random_state).permutation(len(X))
        shuffled = X[np.ix_(order, order)] if self.dissimilarity == "precomputed" else X[order]
        merges = np.asarray(linkage(self.measure_.condensed(shuffled), method=self.linkage))
        ends = merges[:, :2].astype(np.int64)
        leaves = ends < len(X)
        ends[leaves] = order[ends[leaves]]
        merges[:, :2] = np.sort(ends, axis=1)
        return merges


def cut(merges: Array, count: int) -> Labels:
    """The clusters after the first so many merges; by order, not by height, since centroids may merge lower again."""
    rows = len(merges) + 1
    made = np.arange(rows, rows + count)
    ends = merges[:count, :2].astype(np.int64)
    left, right = np.repeat(made, 2), ends.ravel()
    graph = coo_array((np.ones(len(left)), (left, right)), shape=(rows + count, rows + count))
    return numbered(connected_components(graph, directed=False)[1][:rows])


def merges_below(merges: Array, height: float) -> int:
    """How many merges are made before the first that is higher than this."""
    higher = merges[:, 2] > height
    return int(higher.argmax()) if higher.any() else len(merges)
