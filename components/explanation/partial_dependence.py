"""How the prediction moves with one column, all others as they are: partial dependence and single rows (ICE)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.explanation.permutation_importance import Predict
from penstock.components.schema import Column

Array = np.ndarray[Any, Any]

MAX_POINTS = 12
MAX_LEVELS = 6
MAX_CLASSES = 4
ORDERED = ("numeric", "date")
DRAWN = (*ORDERED, "nominal", "ordinal", "boolean")
MISSING = "(missing)"


def partial_dependence(
    predict: Predict, frame: pd.DataFrame, values: pd.Series[Any], column: Column, classes: list[Any] | None
) -> dict[str, Any] | None:
    """The mean prediction at each value of a grid, and between which values nine of ten rows' predictions move.

    `values` of the column, of all rows, make the grid; `frame` holds the rows to predict. Where a value is missing,
    the last point of the grid is that. The band is of single rows' curves, each less its own mean, around the mean
    curve: wide where the column works otherwise in some rows than in others. Of two classes it is the positive one's
    probability, of more each of the first four. None where there is nothing to move.
    """
    grid = _grid(values, column)
    if len(grid) < 2:
        return None
    rows, points = len(frame), len(grid)
    repeated = frame.iloc[np.tile(np.arange(rows), points)].reset_index(drop=True)
    repeated[column.name] = grid.iloc[np.repeat(np.arange(points), rows)].reset_index(drop=True)
    predictions = predict(repeated).reshape(points, rows, -1)
    if classes:
        of = [1] if len(classes) == 2 else range(min(len(classes), MAX_CLASSES))
        curves = [_curve(predictions[..., code], 0, 1) | {"of": str(classes[code])} for code in of]
    else:
        curves = [_curve(predictions[..., 0]) | {"of": None}]
    return {
        "column": column.name,
        "role": column.role,
        "distinct": int(values.nunique()),
        "grid": [_shown(value, column) for value in grid],
        "curves": curves,
    }


def _curve(predictions: Array, least: float = -np.inf, most: float = np.inf) -> dict[str, Any]:
    mean = predictions.mean(axis=1)
    single = predictions - predictions.mean(axis=0)
    low, high = np.clip(np.quantile(single, [0.05, 0.95], axis=1) + mean.mean(), least, most)
    return {"mean": mean.tolist(), "low": low.tolist(), "high": high.tolist()}


def _grid(values: pd.Series[Any], column: Column) -> pd.Series[Any]:
    """Values that occur: numbers and dates at equal shares of the rows, the commonest levels; a missing one last."""
    known = values.dropna()
    if column.role in ORDERED:
        ordered = known.sort_values()
        places = np.linspace(0, max(len(ordered) - 1, 0), MAX_POINTS).round().astype(int)
        points = ordered.iloc[places].drop_duplicates() if len(ordered) else ordered
    else:
        common = known.value_counts().index[:MAX_LEVELS]
        if column.role == "ordinal":
            common = pd.Index([level for level in column.levels or [] if level in common])
        points = pd.Series(common).astype(values.dtype)
    grid: pd.Series[Any] = pd.concat([points, values[values.isna()].iloc[:1]])
    return grid


def _shown(value: Any, column: Column) -> Any:
    if pd.isna(value):
        return MISSING
    if column.role == "numeric":
        return float(value)
    if column.role == "date":
        return str(value)[:10]
    if column.role == "boolean":
        return (column.levels or ["no", "yes"])[int(value)]
    return str(value)
