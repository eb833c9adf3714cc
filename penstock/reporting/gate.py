"""What the gate weighed, as a table with a common line: the difference to the champion, slices, limits."""

from __future__ import annotations

from typing import NamedTuple

from penstock.document.formats import NOTHING, Shown, as_shown, count, is_number, number, span, value_of
from penstock.document.verdict import GateCheck, Verdict
from penstock.reporting.chart import Line, Mark, Tick, chart_of

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


def gate_of(verdict: Verdict) -> Gate | None:
    """None where nothing was weighed."""
    slices = [check for check in verdict.checks if check.kind == "slice"]
    limits = [_limit(check) for check in verdict.checks if check.kind != "slice"]
    if not verdict.difference and not slices and not limits:
        return None
    shown = [as_shown(verdict.difference)] if verdict.difference else []
    lines = [Line("All rows", one) for one in shown] + [Line(check.name, as_shown(check)) for check in slices]
    # Zero and the margin take part as marks of their own, to find their places on the line.
    whole = [0.0, *([verdict.margin] if is_number(verdict.margin) else [])]
    chart = chart_of(
        [*lines, *(Line("", Shown(end, None, None)) for end in whole)],
        sign=1,
        whole=whole,
    )
    marks = chart.marks if chart else []
    ends = [mark.value for mark in marks[len(lines) :] if mark]
    differences = [_all_rows(line.shown, verdict.rows, mark) for line, mark in zip(lines, marks, strict=False)][
        : len(shown)
    ]
    differences += [_slice(check, mark) for check, mark in zip(slices, marks[len(shown) :], strict=False)]
    return Gate(
        differences=differences,
        ticks=chart.ticks if chart else [],
        zero=ends[0] if ends else None,
        margin=ends[1] if len(ends) > 1 and verdict.margin else None,
        margin_text=number(verdict.margin),
        limits=limits,
        timed=verdict.timed,
    )


def _all_rows(shown: Shown, rows: int, mark: Mark | None) -> Difference:
    return Difference("All rows", count(rows), value_of(shown), span(shown), "", "", "", mark)


def _slice(check: GateCheck, mark: Mark | None) -> Difference:
    shown = as_shown(check)
    note = check.reason if check.state in ("failed", "undecided") else ""
    if check.needed:
        note += f"; about {count(check.needed)} would decide, if the difference stays so"
    return Difference(
        name=check.name,
        rows=count(check.rows),
        value=value_of(shown),
        interval=span(shown),
        state=check.state,
        tone=TONES.get(check.state, ""),
        note=note,
        mark=mark,
    )


def _limit(check: GateCheck) -> Limit:
    shown, unit = as_shown(check), UNITS.get(check.kind, "")
    return Limit(
        name=check.name,
        measured=f"{value_of(shown)}{unit}" if shown.value is not None else NOTHING,
        interval=span(shown),
        allowed=f"{check.limit:g}{unit}",
        state=check.state,
        tone=TONES.get(check.state, ""),
        note=check.reason if check.state == "skipped" else "",
    )
