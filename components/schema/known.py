"""What is known to be true of rows, as splits and fits need it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.schema.casting import texts
from penstock.components.schema.columns import Label, Schema
from penstock.components.schema.target import encode_target

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Known:
    """The encoded target, and the classes of the rows, whose shares a split keeps; None where there are none."""

    target: Array | None = None
    classes: Array | None = None
    labels: list[Label] | None = None


def known_of(frame: pd.DataFrame, schema: Schema) -> Known:
    if schema.target is None:
        return Known()
    target = encode_target(frame[schema.target], schema)
    return Known(target, None if schema.classes is None else target, schema.classes)


def with_known_target(frame: pd.DataFrame, schema: Schema) -> pd.DataFrame:
    """The rows of which it is known what is to be predicted: all, where nothing is."""
    return frame if schema.target is None else frame[frame[schema.target].notna()].reset_index(drop=True)


def count_known(frame: pd.DataFrame, target: str | None) -> int:
    """How many rows come with their outcome: all, where there is no column of outcomes."""
    return int(texts(frame[target]).notna().sum()) if target in frame.columns else len(frame)


def fewest_rows_of_a_class(frame: pd.DataFrame, schema: Schema) -> float:
    """Infinitely many where there are no classes."""
    return float("inf") if schema.classes is None else float(texts(frame[schema.target]).value_counts().min())
