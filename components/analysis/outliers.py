"""Values far from the others, by two rules that outliers themselves cannot bend.

The robust z-score counts distances from the median in units of 1.4826 times the median absolute deviation (the standard
deviation, if values are normal); above 3.5 it is called far. Tukey's fences lie 1.5 interquartile ranges outside the
quartiles. Half of the values being equal leaves no unit to measure with: then nothing is called far.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.schema import ROW_ID, Column

FAR = 3.5
TO_SIGMA = 1.4826
FENCE = 1.5
MAX_EXAMPLES = 3
MIN_VALUES = 10
BY_PLACE = re.compile("[0-9a-f]{12}-([0-9]+)")  # the id of a row without a key: a digest of the source, the position


def outliers(frame: pd.DataFrame, columns: list[Column]) -> list[dict[str, Any]]:
    """Numeric columns with far values: how many by each rule, the fences, and the furthest with the row they stand in.

    A row is named by its key or, where there is none, by its number in the data, counted from 1 as the checks do.
    """
    ids = frame[ROW_ID] if ROW_ID in frame else (frame.index.to_series() + 1).astype(str)
    found: list[dict[str, Any]] = []
    for column in columns:
        if column.role != "numeric":
            continue
        known = frame[column.name].dropna()
        if len(known) < MIN_VALUES:
            continue
        values = known.to_numpy(dtype=np.float64)
        z = robust_z(values)
        low, high = fences(values)
        outside = (values < low) | (values > high)
        far = np.abs(z) > FAR
        if not far.any() and not outside.any():
            continue
        order = np.argsort(-np.abs(z), kind="stable")[:MAX_EXAMPLES]
        found.append(
            {
                "column": column.name,
                "known": len(values),
                "robust_z": int(far.sum()),
                "iqr": int(outside.sum()),
                "share": float(outside.mean()),
                "low": float(low),
                "high": float(high),
                "furthest": float(np.abs(z).max()),
                "examples": [
                    {
                        "value": float(values[place]),
                        "row": _name(ids.loc[known.index[place]]),
                        "robust_z": float(z[place]),
                    }
                    for place in order
                    if far[place] or outside[place]
                ],
            }
        )
    return sorted(found, key=lambda one: (-one["furthest"], one["column"]))


def _name(row_id: str) -> str:
    by_place = BY_PLACE.fullmatch(row_id)
    return str(int(by_place[1]) + 1) if by_place else row_id


def robust_z(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Distance from the median in robust standard deviations, with its sign; zeros where most values are equal."""
    middle = np.median(values)
    unit = TO_SIGMA * np.median(np.abs(values - middle))
    with np.errstate(over="ignore"):
        return np.clip((values - middle) / unit, -1e9, 1e9) if unit > 0 else np.zeros(len(values))


def fences(values: np.ndarray[Any, Any]) -> tuple[float, float]:
    first, third = np.quantile(values, [0.25, 0.75])
    width = third - first
    if not (np.isfinite(width) and width > 0):
        return float(values.min()), float(values.max())
    return float(first - FENCE * width), float(third + FENCE * width)
