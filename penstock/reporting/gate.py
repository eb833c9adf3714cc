"""What the gate weighed, as a table with a common line: the difference to the champion, slices, limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from penstock.reporting.chart import Mark, Tick, chart_of
from penstock.reporting.formats import NOTHING, as_shown, count, is_number, number, span, value_of

TONES = {"passed": "good", "failed": "bad", "undecided": "warn"}
UNITS = {"size": " MB", "latency": " ms", "latency ratio": " times"}


class Difference(NamedTuple):
    """Of all rows or a slice. `state` is empty for all rows: there the verdict says it."""

    name: str
    rows: str
    value: str
    interval: str
    state: str
    tone: str
    note: str
    mark: Mark | None


class Limit(NamedTuple):
    name: str
    measured: str
    interval: str
    allowed: str
    state: str
    tone: str
    note: str


class Gate(NamedTuple):
    differences: list[Difference]
    ticks: list[Tick]
    zero: float | None
    margin: float | None
    margin_text: str
    limits: list[Limit]
    timed: bool


def gate_of(verdict: Mapping[str, Any] | None) -> Gate | None:
    """None where nothing was weighed."""
    verdict = verdict or {}
    checks = verdict.get("checks") or []
    slices = [check for check in checks if check.get("kind") == "slice"]
    whole = (
        {**verdict["difference"], "name": "All rows", "rows": verdict.get("rows")}
        if verdict.get("difference")
        else None
    )
    compared = [*([whole] if whole else []), *slices]
    limits = [_limit(check) for check in checks if check.get("kind") != "slice"]
    if not compared and not limits:
        return None
    margin = verdict.get("margin")
    # Zero and the margin take part as marks of their own, to find their places on the line.
    lines = [{"value": float(end)} for end in (0.0, margin) if end is not None and is_number(end)]
    chart = chart_of(
        [{"label": one.get("name"), "shown": as_shown(one), "folds": []} for one in [*compared, *lines]],
        sign=1,
        whole=[line["value"] for line in lines],
    )
    marks = chart.marks if chart else []
    ends = [mark.value for mark in marks[len(compared) :] if mark]
    return Gate(
        differences=[_difference(one, mark) for one, mark in zip(compared, marks, strict=False)],
        ticks=chart.ticks if chart else [],
        zero=ends[0] if ends else None,
        margin=ends[1] if len(ends) > 1 and margin else None,
        margin_text=number(margin),
        limits=limits,
        timed=bool(verdict.get("timed")),
    )


def _difference(one: Mapping[str, Any], mark: Mark | None) -> Difference:
    shown, state = as_shown(one), str(one.get("state") or "")
    note = str(one.get("reason") or "") if state in ("failed", "undecided") else ""
    if one.get("needed"):
        note += f"; about {count(one['needed'])} would decide, if the difference stays so"
    return Difference(
        name=str(one.get("name")),
        rows=count(one.get("rows")),
        value=value_of(shown),
        interval=span(shown),
        state=state,
        tone=TONES.get(state, ""),
        note=note,
        mark=mark,
    )


def _limit(check: Mapping[str, Any]) -> Limit:
    shown, unit, state = as_shown(check), UNITS.get(str(check.get("kind")), ""), str(check.get("state") or "")
    return Limit(
        name=str(check.get("name")),
        measured=f"{value_of(shown)}{unit}" if shown["value"] is not None else NOTHING,
        interval=span(shown),
        allowed=f"{check.get('limit'):g}{unit}" if is_number(check.get("limit")) else NOTHING,
        state=state,
        tone=TONES.get(state, ""),
        note=str(check.get("reason") or "") if state == "skipped" else "",
    )
