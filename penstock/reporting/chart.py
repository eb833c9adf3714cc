"""Scores with intervals on one common line, as positions in percent: the page draws them with plain elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

from penstock.document.formats import Shown, confidence, is_number, number, span, value_of


class Tick(NamedTuple):
    at: float
    text: str


class Mark(NamedTuple):
    """One candidate: its dot, its interval and its folds; `hint` says the same in words, `beyond` that it is off."""

    value: float
    low: float | None
    width: float
    folds: list[float]
    hint: str
    beyond: bool


class Line(NamedTuple):
    """What one line of the chart shows, errors as positive numbers; the folds are as they were measured."""

    label: str
    shown: Shown
    folds: Sequence[float | None] = ()


class Chart(NamedTuple):
    ticks: list[Tick]
    marks: list[Mark | None]
    baseline: float | None


def chart_of(
    lines: Sequence[Line], *, sign: int, whole: Sequence[float] = (), baseline: float | None = None
) -> Chart | None:
    """Lines without a score get no mark.

    One that failed badly would flatten the others: those more than three times as far behind the best as the middle one
    lie at the edge. With numbers in `whole` the line holds everything, those numbers too.
    """
    scored = [(line, line.shown.value) for line in lines if line.shown.value is not None]
    if not scored:
        return None
    shown = [line for line, _ in scored] if whole else _good_part(scored, sign)
    ends = [*whole, *(end for line in shown for end in [*line.shown.ends, *_folds(line, sign)])]
    low, high = min(ends), max(ends)
    room = (high - low or abs(high) or 1) * 0.04
    low, high = low - room, high + room

    def place(value: float) -> float:
        return round(min(max((value - low) / (high - low), 0), 1) * 100, 2)

    return Chart(
        ticks=[Tick(place(at), text) for at, text in _ticks(low, high)],
        marks=[_mark(line, sign, place, low, high) for line in lines],
        baseline=place(baseline) if baseline is not None and low < baseline < high else None,
    )


def _good_part(scored: Sequence[tuple[Line, float]], sign: int) -> list[Line]:
    best = max(sign * value for _, value in scored)
    behind = [best - sign * value for _, value in scored]
    reach = 3 * median(behind)
    return [line for (line, _), distance in zip(scored, behind, strict=True) if distance <= reach]


def _mark(line: Line, sign: int, place: Callable[[float], float], low: float, high: float) -> Mark | None:
    shown, folds = line.shown, _folds(line, sign)
    if shown.value is None:
        return None
    start = end = None
    words = f"{line.label}: {value_of(shown)}"
    if shown.low is not None and shown.high is not None:
        start, end = place(shown.low), place(shown.high)
        words += f", {confidence(shown)} {span(shown)}"
    words += f"; folds {number(min(folds))} to {number(max(folds))}" if folds else ""
    return Mark(
        value=place(shown.value),
        low=start,
        width=round(end - start, 2) if start is not None and end is not None else 0,
        folds=[place(fold) for fold in folds if low < fold < high],
        hint=words,
        beyond=not low < shown.value < high,
    )


def _folds(line: Line, sign: int) -> list[float]:
    return [sign * fold for fold in line.folds if is_number(fold)]


def _ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Three to five round numbers between the ends."""
    size = 10 ** math.floor(math.log10(high - low))
    step = next(size * part for part in (0.1, 0.2, 0.25, 0.5, 1, 2) if (high - low) / (size * part) <= 5)
    places = max(0, -math.floor(math.log10(step) + 1e-9) + (step / 10 ** math.floor(math.log10(step)) % 1 > 0.1))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [(at * step, number(at * step, places)) for at in range(first, last + 1)]
