"""What every clusterer of the catalogue can do: fit, `labels_`, and `predict` for rows it has not seen.

Noise is -1. Most classes of a library assign new rows themselves; the mixins here are the rules for those that do not.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import gen_batches
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.dissimilarity.measure import NAMES, Measure

NOISE = -1
BATCH = 8_000_000
"""How many dissimilarities are held at a time: 64 MB."""

Array = NDArray[np.float64]
Labels = NDArray[np.int64]


def nearest(points: Array, X: Array) -> tuple[Array, NDArray[np.int64]]:
    """For each row of X how far the nearest of the points is, and which it is."""
    distance, place = NearestNeighbors(n_neighbors=1).fit(points).kneighbors(X)
    return distance[:, 0], place[:, 0]


def nearest_by(measure: Measure, points: Array, X: Array) -> tuple[Array, NDArray[np.int64]]:
    """As `nearest`, by any dissimilarity; no more than some rows at a time, so that memory stays bounded."""
    if measure.name == "euclidean":
        return nearest(points, X)
    distance, place = np.zeros(len(X)), np.zeros(len(X), dtype=np.int64)
    for some in gen_batches(len(X), max(1, BATCH // max(len(points), 1))):
        apart = measure.between(X[some], points)
        place[some] = apart.argmin(axis=1)
        distance[some] = apart.min(axis=1)
    return distance, place


class NearestCentre:
    """Rule for methods with a centre for each cluster, kept in `cluster_centers_`."""

    assignment_rule: ClassVar[str] = "the cluster with the nearest centre"

    cluster_centers_: Array

    def predict(self, X: Any) -> Labels:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return nearest(self.cluster_centers_, X)[1]


class NearestRow:
    """Rule for methods that only group the rows they saw, kept in `rows_`; near by `measure_`."""

    assignment_rule: ClassVar[str] = "the cluster of the nearest row that was trained on"

    rows_: Array
    labels_: Labels
    measure_: Measure

    def predict(self, X: Any) -> Labels:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        found: Labels = self.labels_[nearest_by(self.measure_, self.rows_, X)[1]]
        return found


class ByDissimilarity:
    """For methods that need no more than how unlike rows are.

    `dissimilarity` is a name of `penstock.components.dissimilarity.measure`, `settings` holds what it takes. Where it
    is precomputed, X is a matrix of rows by rows; for new rows, of these by the training rows.
    """

    dissimilarity: str
    settings: Any

    dissimilarity_constraints: ClassVar[dict[str, list[Any]]] = {
        "dissimilarity": [StrOptions(set(NAMES))],
        "settings": [dict, None],
    }

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.pairwise = self.dissimilarity == "precomputed"
        return tags

    def _measure(self, X: Array) -> Measure:
        return Measure(self.dissimilarity, self.settings).fit(X)


def numbered(labels: Any) -> Labels:
    """The same groups, numbered 0, 1, 2 in the order in which they first appear; noise stays -1."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(first)
    if np.asarray(labels)[first].min() < 0:
        order = order[order != 0]
        rank = np.full(len(first), NOISE)
    else:
        rank = np.zeros(len(first), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[inverse].astype(np.int64)
