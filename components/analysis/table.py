"""The training rows as the analysis reads them: each column as numbers and as a few codes, all rows or a sample."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from penstock.components.schema import Column, Schema, encode_target

MAX_ROWS = 5_000
MAX_COLUMNS = 60
MAX_LOOKED_AT = 500
BINS = 10
MAX_LEVELS = 20
NUMBER_LIKE = ("numeric", "boolean", "ordinal", "date")
OTHER = "(other)"

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


class Coded(NamedTuple):
    """A column in a few groups: a code for each row, -1 where the value is missing, and a name for each code."""

    codes: Codes
    names: list[str]


@dataclass(frozen=True)
class Table:
    """Training rows in canonical form. `sample` holds all of them, or as many as dear statistics can afford."""

    frame: pd.DataFrame
    sample: pd.DataFrame
    schema: Schema

    @classmethod
    def of(cls, frame: pd.DataFrame, schema: Schema, seed: int, most_rows: int = MAX_ROWS) -> Table:
        return cls(frame, draw(frame, most_rows, seed), schema)

    @cached_property
    def columns(self) -> list[Column]:
        """The features that hold more than one thing, missing values counted as one; of very many the fullest."""
        varied = [column for column in self.schema.features if self.sample[column.name].nunique(dropna=False) > 1]
        if len(varied) <= MAX_LOOKED_AT:
            return varied
        gaps = self.sample.isna().sum()
        fullest = set(sorted((column.name for column in varied), key=lambda name: gaps[name])[:MAX_LOOKED_AT])
        return [column for column in varied if column.name in fullest]

    @cached_property
    def number_like(self) -> list[Column]:
        return [column for column in self.columns if column.role in NUMBER_LIKE]

    @cached_property
    def y(self) -> NDArray[Any] | None:
        """The target of the sampled rows: codes into the classes, or a quantity; None where there is no target."""
        target = self.schema.target
        if target is None or not self.schema.supervised:
            return None
        return encode_target(self.sample[target], self.schema)

    @cached_property
    def numbers(self) -> pd.DataFrame:
        """The sampled rows of all columns that can be read as numbers."""
        columns = {column.name: as_numbers(self.sample[column.name], column) for column in self.number_like}
        return pd.DataFrame(columns, index=self.sample.index)

    @cached_property
    def coded(self) -> dict[str, Coded]:
        """The sampled rows of all columns, each in a few groups."""
        return {column.name: as_codes(self.sample[column.name], column) for column in self.columns}

    @cached_property
    def coded_target(self) -> Coded | None:
        if self.y is None:
            return None
        if self.schema.classes is None:
            return binned(pd.Series(self.y))
        return Coded(np.asarray(self.y, dtype=np.int64), [str(label) for label in self.schema.classes])


def draw(frame: pd.DataFrame, most: int, seed: int) -> pd.DataFrame:
    """All rows, or `most` of them drawn by the seed, in their order."""
    if len(frame) <= most:
        return frame
    drawn = np.random.default_rng(seed).choice(len(frame), size=most, replace=False)
    return frame.iloc[np.sort(drawn)].reset_index(drop=True)


def as_numbers(values: pd.Series[Any], column: Column) -> pd.Series[Any]:
    """A number for each value: an ordinal's place among its levels, a date's days since 1970."""
    if column.role == "ordinal":
        places = {level: float(place) for place, level in enumerate(column.levels or [])}
        return values.map(places).astype("float64")
    if column.role == "date":
        return ((values - pd.Timestamp(0)) / pd.Timedelta(days=1)).astype("float64")
    return values.astype("float64")


def as_codes(values: pd.Series[Any], column: Column, *, bins: int = BINS) -> Coded:
    """Quantiles of numbers, the commonest levels of a nominal, the length of a text in words."""
    if column.role in ("numeric", "date"):
        return binned(as_numbers(values, column), bins=bins, dates=column.role == "date")
    if column.role == "text":
        return binned(values.str.count(r"\S+").astype("float64"), bins=bins, unit=" words")
    if column.role == "boolean":
        known = values.notna()
        words = column.levels or ["false", "true"]
        return Coded(np.where(known, values.fillna(0), -1).astype(np.int64), list(words))
    if column.role == "ordinal":
        levels = list(column.levels or [])
        return Coded(pd.Categorical(values, categories=levels).codes.astype(np.int64), levels)
    return _levels(values)


def binned(values: pd.Series[Any], *, bins: int = BINS, dates: bool = False, unit: str = "") -> Coded:
    """Groups of about equal size that leave equal values together; of few different values, one group each.

    A group is named by the least and the greatest value that it holds.
    """
    known = values.notna().to_numpy()
    distinct, places = np.unique(values.to_numpy()[known], return_inverse=True)
    groups = np.arange(len(distinct))
    if len(distinct) > bins:
        edges = np.quantile(values.to_numpy()[known], np.linspace(0, 1, bins + 1))[1:-1]
        # A value on an edge belongs below it, as it does when quantiles are read aloud: "a tenth are at most 12".
        groups = np.unique(np.searchsorted(edges, distinct, side="left"), return_inverse=True)[1]
    codes = np.full(len(values), -1, dtype=np.int64)
    codes[known] = groups[places]
    first = np.flatnonzero(np.diff(groups, prepend=-1))
    last = np.append(first[1:], len(distinct)) - 1
    ends = [(_word(distinct[low], dates), _word(distinct[high], dates)) for low, high in zip(first, last, strict=True)]
    return Coded(codes, [(low if low == high else f"{low} to {high}") + unit for low, high in ends])


def _levels(values: pd.Series[Any]) -> Coded:
    counts = values.value_counts()
    ranked = sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))
    kept = [str(level) for level, _ in ranked[: MAX_LEVELS if len(ranked) <= MAX_LEVELS else MAX_LEVELS - 1]]
    places = {level: place for place, level in enumerate(kept)}
    codes = np.asarray(values.map(places).fillna(-1), dtype=np.int64)
    if len(ranked) > len(kept):
        codes = np.where((codes < 0) & values.notna().to_numpy(), len(kept), codes)
        kept.append(OTHER)
    return Coded(codes, kept)


def _word(value: float, dates: bool) -> str:
    if dates:
        return (pd.Timestamp(0) + pd.Timedelta(days=float(value))).date().isoformat()
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e7 else f"{value:.4g}"
