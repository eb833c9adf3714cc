"""Every column at a glance: its distribution as a small picture, and in numbers."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.document.data import ColumnFacts, Level
from penstock.document.formats import brief, count, percent

HEIGHT = 24
MAX_LEVELS = 3


def bars(column: ColumnFacts) -> str:
    """Histogram of numbers or counts of levels, as the path of an SVG that is 100 wide and 24 high; '' of others."""
    return bars_of(column.histogram.counts if column.histogram else [*_levels(column).values()])


def bars_of(counts: Sequence[float]) -> str:
    if not counts:
        return ""
    most, width = max(*counts, 1), 100 / len(counts)
    return "".join(
        f"M{place * width:.1f} {HEIGHT}V{HEIGHT - (HEIGHT - 1) * size / most:.1f}h{0.9 * width:.1f}V{HEIGHT}z"
        for place, size in enumerate(counts)
    )


def in_numbers(column: ColumnFacts) -> str:
    """`18 to 90, median 47, mean 46.62, sd 15.68`; `no 70%, yes 30%`; `2024-01-01 to 2025-06-30`."""
    if column.histogram:
        words = [f"{brief(column.min)} to {brief(column.max)}"]
        words += [f"median {brief(column.quartiles[1])}"] if column.quartiles else []
        words += [
            f"{name} {brief(value)}" for name, value in (("mean", column.mean), ("sd", column.sd)) if value is not None
        ]
        return ", ".join(words) + (" words" if column.mean_words else "")
    if levels := _levels(column):
        known, distinct = sum(levels.values()) or 1, column.distinct or len(levels)
        named = [f"{name} {percent(size / known)}" for name, size in levels.items()][:MAX_LEVELS]
        return ", ".join(named) + (f"; {count(distinct)} levels" if distinct > MAX_LEVELS else "")
    if column.first and column.last:
        return f"{column.first[:10]} to {column.last[:10]}"
    if column.mean_words:
        return f"{brief(column.mean_words)} words on average"
    return f"{count(column.distinct)} different values" if column.distinct else "no value"


def _levels(column: ColumnFacts) -> dict[str, int]:
    """How often each level occurs; of a target, each class. Without a known value, levels are words alone."""
    counted = {level.level: level.count for level in column.levels or [] if isinstance(level, Level)}
    return counted or column.classes or {}
