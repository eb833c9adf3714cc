"""Dissimilarities of prepared rows, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics import pairwise_distances

from penstock.components.dissimilarity import kernels
from penstock.components.dissimilarity.columns import (
    features_of,
    mean_absolute_difference,
    mean_mismatch,
    mean_squared_difference,
)
from penstock.components.dissimilarity.levels import AS_COLUMNS, level_distances, level_spread, row_distances
from penstock.components.dissimilarity.validity import require_dissimilarities, require_values
from penstock.errors import ClusteringError, UsageError, did_you_mean

Matrix = NDArray[np.float64]

_LIBRARY = {
    "euclidean": "euclidean",
    "squared-euclidean": "sqeuclidean",
    "manhattan": "cityblock",
    "chebyshev": "chebyshev",
    "minkowski": "minkowski",
    "cosine": "cosine",
    "correlation": "correlation",
    "hamming": "hamming",
}
COLUMN_BY_COLUMN = ("gower", "equal-influence")
_DIRECTIONS = ("cosine", "correlation")
_LEVEL = 1e-12
_KERNELS = {f"{name}-kernel": name for name in kernels.KERNELS}
NAMES = (*_LIBRARY, *COLUMN_BY_COLUMN, *_KERNELS, "precomputed", AS_COLUMNS)


class Measure:
    """A dissimilarity by name, for rows as a preparation makes them.

    Parameters
    ----------
    name : str, default="euclidean"
        euclidean, squared-euclidean, manhattan, chebyshev, minkowski, cosine and correlation (one minus the
        similarity; a row of zeros, or for correlation of one value, has no direction: it is at 1 from all that have
        one), hamming (share of columns that differ); gower (columns on their range, levels differ or do not, the
        mean of all features); equal-influence (features weighted so that each adds the same to the mean of all
        pairs); NAME-kernel for the distance in the space of a kernel; precomputed, a square of rows by rows;
        precomputed-columns, where rows hold their distances to things, of which each training row is one.
    settings : dict or None, default=None
        `power` of minkowski; `difference` of equal-influence, "absolute" or "squared"; `levels` of gower and
        equal-influence, for each column with own distances between levels the indices of its prepared columns; what a
        kernel takes.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        What each column is multiplied by, of gower and equal-influence.
    level_weights_ : list of float
        The same of each column with own distances between its levels.

    Examples
    --------
    >>> from penstock.components.dissimilarity.measure import Measure
    >>> rows = [[0.0, 0.0], [3.0, 4.0]]
    >>> Measure("manhattan").fit(rows).between(rows).tolist()
    [[0.0, 7.0], [7.0, 0.0]]
    >>> Measure("minkowski", {"power": 2}).fit(rows).between(rows).tolist()
    [[0.0, 5.0], [5.0, 0.0]]
    """

    def __init__(self, name: str = "euclidean", settings: Mapping[str, Any] | None = None) -> None:
        self.name = name
        self.settings = settings

    def fit(self, X: Any, y: Any = None) -> Self:
        if self.name not in NAMES:
            raise UsageError(
                "PEN005",
                f"there is no dissimilarity '{self.name}'",
                where="dissimilarity",
                remedy=did_you_mean(self.name, NAMES),
            )
        self._settings = self.checked()
        if self.name in _DIRECTIONS:
            self._require_directions(np.asarray(X, dtype=np.float64))
        if self.name in COLUMN_BY_COLUMN:
            self._weigh(np.asarray(X, dtype=np.float64))
        return self

    def checked(self, where: str = "settings") -> dict[str, Any]:
        """The settings, of which this dissimilarity takes all."""
        given = dict(self.settings or {})
        allowed = {"minkowski": {"power"}, "equal-influence": {"difference", "levels"}, "gower": {"levels"}}.get(
            self.name, set()
        )
        if self.name in _KERNELS:
            function = kernels.KERNELS[_KERNELS[self.name]]
            allowed = set(function.__annotations__) - {"X", "Y", "return"}
        if strange := [name for name in given if name not in allowed]:
            raise UsageError(
                "PEN006",
                f"the dissimilarity '{self.name}' has no setting '{strange[0]}'",
                where=where,
                remedy=did_you_mean(strange[0], sorted(allowed)),
            )
        return given

    def between(self, X: Any, Y: Any = None) -> Matrix:
        """Of each row of X to each of Y, or of the rows of X among each other."""
        if self.name == "precomputed":
            return self._given(X, square=Y is None)
        if self.name == AS_COLUMNS:
            return row_distances(*(np.asarray(rows, dtype=np.float64) for rows in (X, Y) if rows is not None))
        if self.name in _KERNELS:
            return self._in_kernel_space(X, Y)
        if Y is None:
            return np.asarray(squareform(self.condensed(X)))
        left, right = (self._scaled(np.asarray(rows, dtype=np.float64)) for rows in (X, Y))
        metric, extra = self._metric()
        apart = np.asarray(pairwise_distances(left, right, metric=metric, **extra))
        if self.name in _DIRECTIONS:
            np.nan_to_num(apart, copy=False, nan=1.0)
            apart[np.ix_(~left.any(axis=1), ~right.any(axis=1))] = 0.0
        for part in self._by_levels(np.asarray(X), np.asarray(Y)):
            apart += part
        return apart

    def condensed(self, X: Any) -> Matrix:
        """Each pair once, as scipy keeps them: half the memory."""
        if self.name in ("precomputed", AS_COLUMNS) or self.name in _KERNELS:
            return np.asarray(squareform(self.between(X), checks=False))
        metric, extra = self._metric()
        rows = self._scaled(np.asarray(X, dtype=np.float64))
        apart = np.asarray(pdist(rows, metric=metric, **extra))
        if self.name in _DIRECTIONS:
            np.nan_to_num(apart, copy=False, nan=1.0)
            lost = np.flatnonzero(~rows.any(axis=1))
            first, second = (lost[ends] for ends in np.triu_indices(len(lost), 1))
            apart[len(rows) * first - first * (first + 3) // 2 + second - 1] = 0.0
        for part in self._by_levels(np.asarray(X), np.asarray(X)):
            apart += squareform(part, checks=False)
        return apart

    def _by_levels(self, X: Matrix, Y: Matrix) -> Iterator[Matrix]:
        """What columns with own distances between their levels add, one after the other."""
        for block, weight in zip(self._blocks(), getattr(self, "level_weights_", ()), strict=True):
            yield weight * level_distances(X[:, block], Y[:, block])

    def _metric(self) -> tuple[str, dict[str, Any]]:
        if self.name in COLUMN_BY_COLUMN:
            return "sqeuclidean" if self._squares() else "cityblock", {}
        extra = {"p": float(self._settings.get("power", 3.0))} if self.name == "minkowski" else {}
        return _LIBRARY[self.name], extra

    def _directed(self, X: Matrix) -> NDArray[np.bool_]:
        """Whether each row points anywhere; about its own mean, for correlation."""
        about = X.mean(axis=1, keepdims=True) if self.name == "correlation" else 0.0
        level = _LEVEL * np.linalg.norm(X, axis=1)
        pointed: NDArray[np.bool_] = np.linalg.norm(X - about, axis=1) > level
        return pointed

    def _require_directions(self, X: Matrix) -> None:
        if len(X) and not self._directed(X).any():
            raise ClusteringError(
                "PEN337",
                f"'{self.name}' compares the directions of rows, and none of these {len(X)} rows has one",
                where=f"dissimilarity: {self.name}",
                remedy="bring in more columns (a row of equal values has no direction), or choose euclidean or gower",
            )

    def _squares(self) -> bool:
        return bool(self._settings.get("difference") == "squared")

    def _scaled(self, X: Matrix) -> Matrix:
        """Weights go on the difference, so on its root where it is squared; rows without a direction become zero."""
        if self.name in _DIRECTIONS:
            return np.where(self._directed(X)[:, None], X, 0.0)
        if self.name not in COLUMN_BY_COLUMN:
            return X
        return X * (np.sqrt(self.weights_) if self._squares() else self.weights_)

    def _blocks(self) -> list[list[int]]:
        return list(self._settings.get("levels", ()))

    def _weigh(self, X: Matrix) -> None:
        """One over the size of each feature: its largest difference (gower) or its mean over all pairs.

        With gower each feature that varies has the same share of the whole; else the weights add up to one.
        """
        own = [column for block in self._blocks() for column in block]
        usual = np.setdiff1d(np.arange(X.shape[1]), own)
        features = [usual[feature] for feature in features_of(X[:, usual])]
        largest = self.name == "gower"
        sizes = [self._size(X[:, feature], largest=largest) for feature in features]
        sizes += [level_spread(X[:, block])[largest] for block in self._blocks()]
        weights = np.array([1 / size if size > 0 else 0.0 for size in sizes])
        total = np.count_nonzero(weights) if largest else weights.sum()
        weights = weights / total if total else weights
        self.level_weights_ = weights[len(features) :].tolist()
        self.weights_ = np.zeros(X.shape[1])
        for feature, weight in zip(features, weights, strict=False):
            self.weights_[feature] = weight / 2 if len(feature) > 1 else weight

    def _size(self, values: Matrix, *, largest: bool) -> float:
        if values.shape[1] > 1:
            return float(np.ptp(values, axis=0).any()) if largest else mean_mismatch(values)
        if largest:
            return float(np.ptp(values))
        return (mean_squared_difference if self._squares() else mean_absolute_difference)(values[:, 0])

    def _in_kernel_space(self, X: Any, Y: Any) -> Matrix:
        name = _KERNELS[self.name]
        gram = kernels.kernel(name, X, Y, **self._settings)
        if Y is None:
            squared = kernels.squared_distance(gram)
            np.fill_diagonal(squared, 0.0)
        else:
            own, other = (kernels.diagonal(name, rows, **self._settings) for rows in (X, Y))
            squared = kernels.squared_distance(gram, own, other)
        return np.asarray(np.sqrt(squared))

    def _given(self, X: Any, *, square: bool) -> Matrix:
        if square:
            return require_dissimilarities(X)
        matrix = np.asarray(X, dtype=np.float64)
        require_values(matrix)
        return matrix
