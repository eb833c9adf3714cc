"""Every column at a glance: its distribution as a small picture, and in numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from penstock.reporting.formats import count, number, percent

SYLLABUS = ("plot_eda_summary",)

HEIGHT = 24
MOST_LEVELS = 3


def bars(column: Mapping[str, Any]) -> str:
    """Histogram of numbers or counts of levels, as the path of an SVG that is 100 wide and 24 high; '' of others."""
    counts: Sequence[int] = (column.get("histogram") or {}).get("counts") or [*_levels(column).values()]
    if not counts:
        return ""
    most, width = max(*counts, 1), 100 / len(counts)
    return "".join(
        f"M{place * width:.1f} {HEIGHT}V{HEIGHT - (HEIGHT - 1) * size / most:.1f}h{0.9 * width:.1f}V{HEIGHT}z"
        for place, size in enumerate(counts)
    )


def in_numbers(column: Mapping[str, Any]) -> str:
    """`18 to 90, median 47, mean 46.62, sd 15.68`; `no 70%, yes 30%`; `2024-01-01 to 2025-06-30`."""
    if column.get("histogram"):
        words = [f"{brief(column['min'])} to {brief(column['max'])}", f"median {brief(column['quartiles'][1])}"]
        words += [f"{name} {brief(column[name])}" for name in ("mean", "sd") if column.get(name) is not None]
        return ", ".join(words) + (" words" if column.get("mean_words") else "")
    if levels := _levels(column):
        known, distinct = sum(levels.values()) or 1, column.get("distinct") or len(levels)
        named = [f"{name} {percent(size / known)}" for name, size in levels.items()][:MOST_LEVELS]
        return ", ".join(named) + (f"; {count(distinct)} levels" if distinct > MOST_LEVELS else "")
    if column.get("first"):
        return f"{column['first'][:10]} to {column['last'][:10]}"
    if column.get("mean_words"):
        return f"{brief(column['mean_words'])} words on average"
    return f"{count(column['distinct'])} different values" if column.get("distinct") else "no value"


def _levels(column: Mapping[str, Any]) -> dict[str, int]:
    """How often each level occurs; of a target, each class. Without a known value, levels are words alone."""
    counted = [level for level in column.get("levels") or [] if isinstance(level, Mapping)]
    return {level["level"]: level["count"] for level in counted} or column.get("classes") or {}


def brief(value: Any) -> str:
    """As short as it can be without losing a digit that counts: 18, not 18.00."""
    text = number(value)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
