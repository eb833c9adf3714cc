"""Scores with intervals on one common line, as positions in percent: the page draws them with plain elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from penstock.reporting.formats import confidence, is_number, number, span, value_of


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


class Chart(NamedTuple):
    ticks: list[Tick]
    marks: list[Mark | None]
    baseline: float | None


def chart_of(
    candidates: Sequence[Mapping[str, Any]], *, sign: int, whole: Sequence[float] = (), baseline: float | None = None
) -> Chart | None:
    """`candidates` carry `shown`, errors as positive numbers; those without a score get no mark.

    One that failed badly would flatten the others: those more than three times as far behind the best as the middle one
    lie at the edge. With numbers in `whole` the line holds everything, those numbers too.
    """
    scored = [candidate for candidate in candidates if candidate["shown"]["value"] is not None]
    if not scored:
        return None
    shown = scored if whole else _good_part(scored, sign)
    ends = [*whole, *(end for candidate in shown for end in _ends(candidate, sign))]
    low, high = min(ends), max(ends)
    room = (high - low or abs(high) or 1) * 0.04
    low, high = low - room, high + room

    def place(value: float) -> float:
        return round(min(max((value - low) / (high - low), 0), 1) * 100, 2)

    return Chart(
        ticks=[Tick(place(at), text) for at, text in _ticks(low, high)],
        marks=[_mark(candidate, sign, place, low, high) for candidate in candidates],
        baseline=place(baseline) if baseline is not None and low < baseline < high else None,
    )


def _good_part(scored: Sequence[Mapping[str, Any]], sign: int) -> list[Mapping[str, Any]]:
    best = max(sign * candidate["shown"]["value"] for candidate in scored)
    behind = [best - sign * candidate["shown"]["value"] for candidate in scored]
    reach = 3 * median(behind)
    return [candidate for candidate, distance in zip(scored, behind, strict=True) if distance <= reach]


def _mark(
    candidate: Mapping[str, Any], sign: int, place: Callable[[float], float], low: float, high: float
) -> Mark | None:
    shown = candidate["shown"]
    if shown["value"] is None:
        return None
    known = shown["low"] is not None and shown["high"] is not None
    start = place(shown["low"]) if known else None
    folds = [sign * fold for fold in candidate.get("folds") or [] if is_number(fold)]
    words = f"{candidate.get('label')}: {value_of(shown)}"
    words += f", {confidence(shown)} {span(shown)}" if known else ""
    words += f"; folds {number(min(folds))} to {number(max(folds))}" if folds else ""
    return Mark(
        value=place(shown["value"]),
        low=start,
        width=round(place(shown["high"]) - start, 2) if start is not None else 0,
        folds=[place(fold) for fold in folds if low < fold < high],
        hint=words,
        beyond=not low < shown["value"] < high,
    )


def _ends(candidate: Mapping[str, Any], sign: int) -> list[float]:
    shown = candidate["shown"]
    ends = [shown["low"], shown["value"], shown["high"]]
    folds = [sign * fold for fold in candidate.get("folds") or [] if is_number(fold)]
    return [end for end in ends if end is not None] + folds


def _ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Three to five round numbers between the ends."""
    size = 10 ** math.floor(math.log10(high - low))
    step = next(size * part for part in (0.1, 0.2, 0.25, 0.5, 1, 2) if (high - low) / (size * part) <= 5)
    places = max(0, -math.floor(math.log10(step) + 1e-9) + (step / 10 ** math.floor(math.log10(step)) % 1 > 0.1))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [(at * step, number(at * step, places)) for at in range(first, last + 1)]
