"""What a built-in check is, and the rows as checks see them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.contract import Finding, Rule
from penstock.components.schema import Column, Schema, cast, conform, numbers, texts
from penstock.errors import MAX_EXAMPLES


@dataclass(frozen=True)
class View:
    """The rows as they were read, in canonical form, and as Great Expectations sees them: canonical, nothing mended."""

    received: pd.DataFrame
    canonical: pd.DataFrame
    unmended: pd.DataFrame
    schema: Schema

    @classmethod
    def of(cls, frame: pd.DataFrame, schema: Schema) -> View:
        present = [column for column in schema.columns if column.name in frame.columns]
        unmended = {column.name: _unmended(frame[column.name], column, schema) for column in present}
        canonical = conform(frame, schema, strict=False)
        return cls(frame, canonical, pd.DataFrame(unmended, index=frame.index), schema)


@dataclass(frozen=True)
class Problem:
    column: str | None
    count: int
    share: float
    message: str
    examples: Sequence[object] = ()
    severity: str | None = None


@dataclass(frozen=True)
class Check:
    """`rules` is what Great Expectations is asked; `problems` turns its failed answers, or the rows, into words."""

    code: str
    title: str
    severity: str
    remedy: str
    problems: Callable[[View, list[Finding]], list[Problem]]
    rules: Callable[[View], list[Rule]] = field(default=lambda view: [])


def digests(values: pd.DataFrame | pd.Series[Any]) -> np.ndarray[Any, Any]:
    """One number per row; equal rows have equal numbers."""
    return np.asarray(pd.util.hash_pandas_object(values, index=False))


def rows_at(positions: np.ndarray[Any, Any]) -> list[str]:
    return [f"row {position + 1}" for position in positions[:MAX_EXAMPLES]]


def _unmended(values: pd.Series[Any], column: Column, schema: Schema) -> pd.Series[Any]:
    if column.role == "numeric" or column.name == schema.quantity:
        return numbers(values)
    return texts(values) if column.role == "ordinal" else cast(values, column)
