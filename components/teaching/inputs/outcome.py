"""Columns of numbers and an outcome, for diagnostics that fit something."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
import pandas as pd
from pydantic import Field

from penstock.components.catalog import Estimator
from penstock.components.schema import numbers, require_columns
from penstock.errors import DataError

Array = np.ndarray[Any, Any]
Chance = Annotated[float, Field(gt=0, lt=1)]
Positive = Annotated[int, Field(ge=1)]
FEW_VALUES = 10


class Learnable(NamedTuple):
    """`y` holds class codes where there are `classes`, else numbers."""

    X: Array
    y: Array
    names: list[str]
    classes: list[str] | None

    @property
    def estimator(self) -> Estimator:
        return "classifier" if self.classes else "regressor"


def learnable(frame: pd.DataFrame, target: str, *, two_classes: bool = False) -> Learnable:
    """The rows whose outcome is known, and the columns of numbers that no row lacks and that are not all the same.

    An outcome of words, or of at most ten whole numbers, is one of classes.
    """
    require_columns(frame, [target])
    rows = frame.loc[frame[target].notna()]
    columns = pd.DataFrame({str(name): numbers(rows[name]) for name in rows.columns if name != target})
    columns = columns.dropna(axis=1)
    columns = columns.loc[:, columns.nunique() > 1]
    if columns.empty or len(rows) < 2:
        raise DataError(
            "PEN080",
            f"{len(rows)} rows with an outcome and {columns.shape[1]} whole columns of numbers are too few to fit to",
            where=f"column '{target}'",
            remedy="name another target, fill missing numbers, or bring in more rows",
        )
    values = numbers(rows[target])
    whole = values.notna().all() and bool((values == values.round()).all())
    classes: list[str] | None = None
    y = values.to_numpy()
    if values.isna().any() or (whole and values.nunique() <= FEW_VALUES):
        codes, labels = pd.factorize(rows[target], sort=True)
        y, classes = codes, [str(name) for name in labels]
    if two_classes and (classes is None or len(classes) != 2):
        found = "numbers" if classes is None else f"{len(classes)} classes"
        raise DataError(
            "PEN081",
            f"this is about two classes, and '{target}' has {found}",
            where=f"column '{target}'",
            remedy="name a column with two classes",
        )
    return Learnable(columns.to_numpy(), y, list(columns.columns), classes)


def thinned(found: Learnable, most: int, seed: int) -> Learnable:
    """At most so many rows, drawn by chance."""
    if len(found.y) <= most:
        return found
    drawn = np.sort(np.random.default_rng(seed).choice(len(found.y), most, replace=False))
    return found._replace(X=found.X[drawn], y=found.y[drawn])


def standardised(X: Array, *, like: Array | None = None) -> Array:
    base = X if like is None else like
    spread = base.std(axis=0)
    scaled: Array = (X - base.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return scaled
