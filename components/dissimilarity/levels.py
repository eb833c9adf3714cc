"""Levels of a column as their distances to every level, by a table that a person gives.

The table is inside the values: what a row holds in the column of a level is its distance to that level, and its own
level is where that is zero. So whoever compares prepared rows needs no more than which columns belong together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.dissimilarity.validity import TOLERANCE, require_dissimilarities, require_values
from penstock.errors import ClusteringError, UsageError, examples

UNKNOWN = -1
AS_COLUMNS = "precomputed-columns"
_MARK = " ↔ "
_FORM = (
    "give every pair of levels a distance, in one direction or in both: `table: {red: {blue: 0.5, green: 1}, blue: "
    "{green: 1}}`"
)

Matrix = NDArray[np.float64]
Codes = NDArray[np.int64]
Table = Mapping[Any, Any]


class LevelDistanceEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Encodes a level as its distances to all levels of a table, one column each, the largest distance being 1.

    A level that is not in the table is an error in the training rows. Later it is at 1 from every level, and so
    is a missing value at any time; among themselves these are alike.

    Parameters
    ----------
    table : dict or None, default=None
        Distances of pairs of levels, each pair once or in both directions: `{red: {blue: 0.5, green: 1}, blue: {green:
        1}}`. Without one, any two levels of the training rows are at 1.
    triangle : {"refuse", "accept"}, default="refuse"
        What to do with a table in which a detour over a third level is shorter.

    Attributes
    ----------
    levels_ : list of list
        Levels of each column, in the order of the new columns.
    distances_ : list of ndarray
        Distances between the levels of each column.

    Examples
    --------
    >>> from penstock.components.dissimilarity.levels import LevelDistanceEncoder
    >>> table = {"red": {"blue": 1, "green": 2}, "blue": {"green": 2}}
    >>> encoder = LevelDistanceEncoder(table).fit([["red"], ["blue"]])
    >>> encoder.transform([["red"], ["green"]]).tolist()
    [[0.0, 0.5, 1.0], [1.0, 1.0, 0.0]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "table": [dict, None],
        "triangle": [StrOptions({"refuse", "accept"})],
    }

    def __init__(self, table: Table | None = None, *, triangle: str = "refuse") -> None:
        self.table = table
        self.triangle = triangle

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        columns = self._columns(X, reset=True)
        names = self._names()
        self.levels_, self.distances_ = [], []
        for name, column in zip(names, columns, strict=True):
            seen = sorted(column.dropna().unique())
            if self.table is None:
                levels, distances = seen, 1 - np.eye(len(seen))
            else:
                levels, distances = read_table(self.table, triangle=self.triangle)
                _require_listed(name, seen, levels)
            self.levels_.append(levels)
            self.distances_.append(distances / (distances.max(initial=0.0) or 1.0))
        return self

    def transform(self, X: Any) -> Matrix:
        check_is_fitted(self)
        columns = self._columns(X, reset=False)
        blocks = []
        for column, levels, distances in zip(columns, self.levels_, self.distances_, strict=True):
            strangers = np.ones((1, len(levels)))
            codes = column.map({level: place for place, level in enumerate(levels)}).fillna(UNKNOWN)
            blocks.append(np.vstack([distances, strangers])[codes.to_numpy(dtype=np.int64)])
        return np.hstack(blocks)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        check_is_fitted(self)
        names = self._names() if input_features is None else input_features
        made = [f"{name}{_MARK}{level}" for name, levels in zip(names, self.levels_, strict=True) for level in levels]
        return np.array(made, dtype=object)

    def _columns(self, X: Any, *, reset: bool) -> list[pd.Series[Any]]:
        values = validate_data(self, X, dtype=None, ensure_all_finite=False, reset=reset)
        coded = (pd.factorize(column) for column in np.asarray(values).T)  # so that few values are turned into words
        words = (np.array([*map(str, found), np.nan], dtype=object)[codes] for codes, found in coded)
        return [pd.Series(column, dtype=object) for column in words]

    def _names(self) -> list[str]:
        return [str(name) for name in getattr(self, "feature_names_in_", [f"x{n}" for n in range(self.n_features_in_)])]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def read_table(table: Table, where: str = "table", *, triangle: str = "refuse") -> tuple[list[str], Matrix]:
    """The levels in the order in which they are named, and the distances of all pairs; each fault with its pair."""
    if not all(isinstance(row, Mapping) and all(map(_is_number, row.values())) for row in table.values()):
        raise UsageError("PEN333", "it does not hold a number for each pair of levels", where=where, remedy=_FORM)
    named = [*table, *(level for row in table.values() for level in row)]
    if any(isinstance(level, bool) for level in named):
        raise UsageError(
            "PEN333",
            "a level of the table is a boolean",
            where=where,
            remedy="YAML reads yes, no, true and false without quotes as booleans; put quotes around them",
        )
    levels = list(dict.fromkeys(map(str, named)))
    places = {level: place for place, level in enumerate(levels)}
    distances = np.full((len(levels), len(levels)), np.nan)
    for level, row in table.items():
        for other, distance in row.items():
            distances[places[str(level)], places[str(other)]] = distance
    one_way = np.isnan(distances)
    distances[one_way] = distances.T[one_way]
    np.fill_diagonal(distances, np.nan_to_num(np.diag(distances)))
    _require_pairs(levels, distances, where)
    require_dissimilarities(distances, of=levels, where=where)
    _require_apart(levels, distances, where)
    if triangle == "refuse":
        _require_triangles(levels, distances, where)
    return levels, distances


def comparing_columns(model: Any, names: Sequence[str]) -> Any:
    """The model, told what prepared columns hold, if it compares rows by a measure: own distances between levels, or
    the distances of rows to each other, which a pipeline has as columns and never as a square."""
    if "dissimilarity" not in model.get_params():
        return model
    if model.dissimilarity == "precomputed":
        return model.set_params(dissimilarity=AS_COLUMNS)
    blocks = blocks_of(names)
    return model.set_params(settings={**(model.settings or {}), "levels": blocks}) if blocks else model


def blocks_of(names: Sequence[str]) -> list[list[int]]:
    """Of the names of prepared columns, the places of those that belong to one column with own distances."""
    owners = [name.rpartition(_MARK)[0] for name in names]
    runs = [[*run] for _, run in groupby(range(len(names)), key=owners.__getitem__)]
    return [run for run in runs if owners[run[0]]]


def level_distances(left: Matrix, right: Matrix) -> Matrix:
    """Of each row to each, from the columns of one block."""
    own, other = _codes(left), _codes(right)
    apart = left[:, other]
    strange = other == UNKNOWN
    apart[:, strange] = right[strange].max(axis=1)
    apart[np.ix_(own == UNKNOWN, strange)] = 0.0
    return apart


def row_distances(left: Matrix, right: Matrix | None = None) -> Matrix:
    """Of each row to each, where columns hold the distances to things, and a row is the thing that it is at 0 from.

    The rows of `right`, or of `left` alone, have to be such things; other rows need not.
    """
    require_values(left)
    near = np.where(left <= TOLERANCE, 0.0, left)
    if right is not None:
        return level_distances(near, np.where(right <= TOLERANCE, 0.0, right))
    if (strange := np.flatnonzero(_codes(near) == UNKNOWN)).size:
        raise ClusteringError(
            "PEN226",
            f"{len(strange)} row(s) are at a distance of 0 from nothing, not even from themselves",
            where=f"row {strange[0]} of the training rows (counted from 0)",
            remedy="give each row a column with the distances to it, where its own is 0; numbers must not be scaled",
        )
    return require_dissimilarities(level_distances(near, near))


def level_spread(block: Matrix) -> tuple[float, float]:
    """The mean over all N² pairs of rows and the largest, without making the pairs."""
    _, first, counts = np.unique(_codes(block), return_index=True, return_counts=True)
    apart = level_distances(block[first], block[first])
    shares = counts / len(block)
    return float(shares @ apart @ shares), float(apart.max())


def _codes(block: Matrix) -> Codes:
    places: Codes = block.argmin(axis=1)
    return np.where(block[np.arange(len(block)), places] == 0, places, UNKNOWN)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _require_listed(name: str, seen: list[str], levels: list[str]) -> None:
    if strange := [level for level in seen if level not in levels]:
        raise ClusteringError(
            "PEN333",
            f"{len(strange)} level(s) of '{name}' are not in its table of distances: {examples(strange)}",
            where=f"column '{name}'",
            remedy=f"add their distances to the other levels, which are {examples(levels)}; or correct the spelling",
        )


def _require_pairs(levels: list[str], distances: Matrix, where: str) -> None:
    missing = [(levels[a], levels[b]) for a, b in np.argwhere(np.isnan(distances)) if a < b]
    if missing or len(levels) < 2:
        raise ClusteringError(
            "PEN333",
            f"{len(missing)} pair(s) of levels have no distance, the first is '{missing[0][0]}' and '{missing[0][1]}'"
            if missing
            else "the table holds no pair of levels",
            where=where,
            remedy=_FORM,
        )


def _require_apart(levels: list[str], distances: Matrix, where: str) -> None:
    same = np.argwhere((distances == 0) & ~np.eye(len(levels), dtype=bool))
    if len(same):
        one, other = (levels[place] for place in same[0])
        raise ClusteringError(
            "PEN333",
            f"'{one}' and '{other}' are at a distance of 0",
            where=where,
            remedy="give two levels a distance above 0, or make one level of them in the data",
        )


def _require_triangles(levels: list[str], distances: Matrix, where: str) -> None:
    detours = distances[:, :, None] + distances[None]
    shortest = detours.min(axis=1)
    excess = distances - shortest
    if excess.max() > TOLERANCE * distances.max():
        a, b = np.unravel_index(excess.argmax(), excess.shape)
        over = levels[int(detours[a, :, b].argmin())]
        raise ClusteringError(
            "PEN327",
            f"from '{levels[a]}' to '{levels[b]}' it is {distances[a, b]:g}, but {shortest[a, b]:g} over '{over}': the "
            "triangle inequality does not hold",
            where=where,
            remedy="correct one of the three distances; or say `triangle: accept`, since the methods here do not ask "
            "for it",
        )
