"""The columns of numbers of a table, and a target of classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from penstock.components.schema import numbers, require_columns
from penstock.errors import DataError

Array = np.ndarray[Any, Any]


class Classed(NamedTuple):
    """Rows with a whole row of numbers and a class; `y` holds codes into `classes`."""

    X: Array
    y: Array
    names: list[str]
    classes: list[str]


def classed(frame: pd.DataFrame, target: str, columns: Sequence[str] | None, *, most_classes: int = 2) -> Classed:
    """The named columns, or all that hold whole numbers; refused where there are none, or too many classes."""
    require_columns(frame, [target, *(columns or [])])
    chosen = list(columns) if columns else [str(name) for name in frame.columns if name != target]
    table = pd.DataFrame({name: numbers(frame[name]) for name in chosen})
    table = table if columns else table.dropna(axis=1)
    known = table.notna().all(axis=1) & frame[target].notna()
    labels = frame.loc[known, target].astype(str).to_numpy(object)
    classes = sorted(set(labels))
    if not table.shape[1] or not 2 <= len(classes) <= most_classes:
        raise DataError(
            "PEN070",
            f"'{target}' has {len(classes)} classes, and there are {table.shape[1]} whole columns of numbers; this "
            f"takes {'2' if most_classes == 2 else f'2 to {most_classes}'} classes and at least one column",
            where=f"column '{target}'",
            remedy="name another target or other columns, or fill missing numbers first",
        )
    y = np.array([classes.index(label) for label in labels])
    return Classed(table[known].to_numpy(float), y, [str(name) for name in table.columns], classes)
