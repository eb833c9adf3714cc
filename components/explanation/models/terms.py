"""Prepared columns in the terms of the table that was read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.explanation.models.base import Shown
from penstock.components.plots.style import short_number

Array = np.ndarray[Any, Any]
_MISSING = "_missing"


class Terms:
    """What a question about a prepared column asks of the table: scaled numbers become numbers in their own units."""

    def __init__(self, shown: Shown) -> None:
        self.shown = shown

    def column(self, place: int) -> str:
        """The column of the table, where the prepared one is a level of it or marks its gaps."""
        name = self.shown.names[place]
        if self._marks_gaps(place):
            return name.removesuffix(_MISSING)
        return name.partition(" = ")[0] if self._is_level(place) else name

    def cut(self, place: int, threshold: float) -> tuple[str, str]:
        """What holds below (or at) a threshold, and what above it."""
        if self._marks_gaps(place):
            return "is known", "is missing"
        if self._is_level(place):
            level = self.shown.names[place].partition(" = ")[2]
            return f"≠ {level}", f"= {level}"
        value = short_number(self.in_own_units(place, threshold))
        return f"≤ {value}", f"> {value}"

    def level(self, place: int, value: Any) -> str:
        """What holds of a column that has a branch for each value."""
        if self._marks_gaps(place) or self._is_level(place):
            return self.cut(place, 0.5)[int(float(value) > 0.5)]
        word = self.word(place, value)
        if word is not None:
            return f"= {word}"
        return f"= {value:g}" if isinstance(value, float) else f"= {value}"

    def word(self, place: int, value: Any) -> str | None:
        """The level that a code stands for, where the table holds words."""
        name = self.shown.names[place]
        if name not in self.shown.raw or pd.api.types.is_numeric_dtype(self.shown.raw[name]):
            return None
        rows = np.flatnonzero(self.shown.X[:, place] == value)
        if not len(rows):
            return None
        level = self.shown.raw[name].iloc[rows[0]]
        return "(missing)" if pd.isna(level) else str(level)

    def raw(self, place: int) -> Array | None:
        """The column as it was read, where it holds numbers that preparation only moved, keeping their order."""
        name = self.shown.names[place]
        if name not in self.shown.raw or not pd.api.types.is_numeric_dtype(self.shown.raw[name]):
            return None
        values = self.shown.raw[name].to_numpy(dtype=float, na_value=np.nan)
        known = ~np.isnan(values)
        order = np.argsort(values[known], kind="stable")
        kept = bool(known.any()) and bool((np.diff(self.shown.X[known, place][order]) >= 0).all())
        return values if kept else None

    def in_own_units(self, place: int, threshold: float) -> float:
        """Half-way between the neighbouring values of the table; as it is where the order was not kept."""
        raw = self.raw(place)
        if raw is None:
            return threshold
        below = self.shown.X[:, place] <= threshold
        known = ~np.isnan(raw)
        lower, upper = raw[below & known], raw[~below & known]
        return float(lower.max() + upper.min()) / 2 if len(lower) and len(upper) else threshold

    def prepared(self, place: int, values: Array) -> Array:
        """Numbers of the table as the model would see them: read off the training rows."""
        raw = self.raw(place)
        if raw is None:
            return values
        known = np.flatnonzero(~np.isnan(raw))
        order = known[np.argsort(raw[known], kind="stable")]
        seen: Array = np.interp(values, raw[order], self.shown.X[order, place])
        return seen

    def _is_level(self, place: int) -> bool:
        return " = " in self.shown.names[place] and self._two_values(place)

    def _marks_gaps(self, place: int) -> bool:
        return self.shown.names[place].endswith(_MISSING) and self._two_values(place)

    def _two_values(self, place: int) -> bool:
        return bool(np.isin(self.shown.X[:, place], (0.0, 1.0)).all())
