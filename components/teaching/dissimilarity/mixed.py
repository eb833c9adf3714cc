"""Dissimilarity of rows with columns of several kinds: a weighted sum of one for each column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from penstock.components.dissimilarity.validity import symmetrised
from penstock.components.teaching.dissimilarity.categorical import LevelDistances, midpoint_codes, mismatch
from penstock.errors import ClusteringError, DataError, UsageError, did_you_mean, examples

Matrix = NDArray[np.float64]
Weighting = Literal["uniform", "equal-influence", "gower"]


@dataclass(frozen=True)
class Way:
    """How two values of one column are compared.

    Numbers, and `levels` in rising order by their middles: |difference| to the `power`. Anything else: `constant` where
    values differ. `distances` between `levels` are a person's own.
    """

    levels: Sequence[Any] | None = None
    distances: Any = None
    power: float = 1.0
    constant: float = 1.0

    def between(self, left: pd.Series[Any], right: pd.Series[Any]) -> Matrix:
        if self.distances is not None:
            return LevelDistances(self.levels or sorted(left.unique()), self.distances).between(left, right)
        if self.levels is None and not pd.api.types.is_numeric_dtype(left):
            return mismatch(left, right, self.constant)
        values, others = (self._numbers(column) for column in (left, right))
        found: Matrix = np.abs(values[:, None] - others[None]) ** self.power
        return found

    def _numbers(self, column: pd.Series[Any]) -> Matrix:
        if self.levels is None:
            return column.to_numpy(dtype=np.float64)
        codes = column.map(midpoint_codes(self.levels))
        if codes.isna().any():
            strange = column[codes.isna()].unique()
            raise ClusteringError(
                "PEN333",
                f"{len(strange)} level(s) of '{column.name}' have no rank: {examples(strange)}",
                where=f"column '{column.name}'",
                remedy="list every level of the column, in rising order",
            )
        return codes.to_numpy(dtype=np.float64)


@dataclass(frozen=True)
class MixedDissimilarity:
    """d(x, y) = sum of w_k d_k(x_k, y_k) over the columns, the weights adding up to one.

    `weights`: uniform; equal-influence, one over the mean of d_k over all pairs, so that each column adds the same to
    the mean of d (which can hide groups that one column shows well: it is a choice); gower, numbers on their range;
    or a number for each column.
    """

    ways: Mapping[str, Way] = field(default_factory=dict)
    weights: Weighting | Mapping[str, float] = "uniform"

    def by_column(self, frame: pd.DataFrame) -> dict[str, Matrix]:
        """The dissimilarities in each column alone."""
        if strange := [name for name in self.ways if name not in frame.columns]:
            remedy = did_you_mean(strange[0], list(frame.columns))
            raise UsageError("PEN021", f"there is no column '{strange[0]}'", where="columns", remedy=remedy)
        missing = [str(name) for name in frame.columns if frame[name].isna().any()]
        if missing:
            raise DataError(
                "PEN224",
                f"{len(missing)} column(s) have missing values: {examples(missing)}",
                where=f"column '{missing[0]}'",
                remedy="fill them in, or leave the rows or the columns out",
            )
        return {str(name): self.ways.get(str(name), Way()).between(frame[name], frame[name]) for name in frame.columns}

    def weigh(self, by_column: Mapping[str, Matrix]) -> dict[str, float]:
        if not isinstance(self.weights, str):
            given = {name: float(self.weights.get(name, 0.0)) for name in by_column}
        elif self.weights == "uniform":
            given = dict.fromkeys(by_column, 1.0)
        else:
            size = np.mean if self.weights == "equal-influence" else np.max
            sizes = {name: float(size(part)) for name, part in by_column.items()}
            given = {name: 1 / value if value else 0.0 for name, value in sizes.items()}
        if min(given.values()) < 0 or not any(given.values()):
            raise UsageError(
                "PEN222",
                "the weights of the columns must not be negative, nor all zero",
                where="weights",
                remedy="give at least one column a positive weight, or choose uniform, equal-influence or gower",
            )
        total = len([value for value in given.values() if value]) if self.weights == "gower" else sum(given.values())
        return {name: value / total for name, value in given.items()}

    def between(self, frame: pd.DataFrame) -> Matrix:
        by_column = self.by_column(frame)
        weights = self.weigh(by_column)
        total = np.zeros((len(frame), len(frame)))
        for name, part in by_column.items():
            total += weights[name] * part
        return symmetrised(total)
