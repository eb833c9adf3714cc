"""Training rows as they were read, for tables that point at some of them."""

from __future__ import annotations

from typing import Any

from penstock.components.explanation.models.base import Shown
from penstock.components.plots.style import label

MAX_COLUMNS = 5


def row_heads(shown: Shown) -> list[str]:
    return [shown.target, *(str(name) for name in shown.raw.columns[:MAX_COLUMNS])]


def row_of(shown: Shown, place: int) -> list[Any]:
    """Its outcome, and its first columns."""
    outcome = whole(float(shown.y[place])) if shown.classes is None else shown.classes[int(shown.y[place])]
    return [outcome, *(_cell(value) for value in shown.raw.iloc[place, :MAX_COLUMNS])]


def _cell(value: Any) -> Any:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return label(value)
    return "missing" if number != number else whole(number)


def whole(number: float) -> int | float:
    """A count or a code is told without decimals."""
    return int(number) if number.is_integer() else number
