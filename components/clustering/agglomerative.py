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
    """scipy's linkage as an estimator: with any dissimilarity, centroids, the whole tree and a cut by height.

    scikit-learn's has neither centroid linkage nor heights beside a number of clusters. All pairs of rows are held.

    Parameters
    ----------
    n_clusters : int
        Where the tree is cut; not looked at where `height` is given.
    linkage : {"single", "complete", "average", "centroid", "ward"}
        Dissimilarity of two clusters: of their nearest rows, of their furthest, the mean over pairs, of their means,
        or by how much the sum of squares grows. The last two are for euclidean alone.
    height : float or None
        Cut at this dissimilarity: clusters that are less unlike are one.
    dissimilarity, settings
        How unlike two rows are, by name.
    ties : {"first", "random"}
        Which of equally unlike pairs goes first: that which stands first, or by lot.
    random_state : int, RandomState or None

    Attributes
    ----------
    merges_ : array of shape (rows - 1, 4)
        As scipy's linkage: the two that merge, their dissimilarity (the height), the rows of both.
    monotone_ : bool
        Whether no merge is lower than one before it; centroids can break this.
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
