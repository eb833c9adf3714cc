"""What a challenger must not break, however much better it is: slices, and limits on time, size and calibration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from penstock.components.evaluation.gate import Verdict, in_words, rows_needed
from penstock.components.evaluation.intervals import Interval

Kind = Literal["slice", "latency", "latency ratio", "size", "calibration", "structure", "floor"]
State = Literal["passed", "failed", "undecided", "skipped"]

SPEED = 2.0
"""Machines differ in speed, and so does one machine from hour to hour: a timing this near to its limit is no fact."""


NO_GAIN = 1e-9
"""What the last bits of equal scores may differ by."""


class Check(BaseModel):
    """One safeguard: what was measured, against what, and what came of it, also in words.

    `needed`: rows with which an undecided slice would be decided. `timed`: the outcome hangs on the machine's speed.
    """

    model_config = ConfigDict(frozen=True)

    kind: Kind
    name: str
    state: State
    limit: float
    value: float | None = None
    low: float | None = None
    high: float | None = None
    confidence: float | None = None
    rows: int | None = None
    needed: int | None = None
    timed: bool = False
    reason: str


def slice_check(name: str, difference: Interval | None, margin: float, rows: int, unit: str, why: str) -> Check:
    """Challenger less champion on a slice: failed where the whole interval is below minus the margin.

    Without a difference, `why` says what stood in its way.
    """
    if difference is None:
        return Check(
            kind="slice", name=name, state="undecided", limit=-margin, rows=rows, reason=f"{name} is undecided: {why}"
        )
    value, low, high = difference.value, difference.low, difference.high
    needed: int | None = None
    if high < -margin:
        state: State = "failed"
        words = f"on the slice {name} it is worse by more than the margin of {margin:g}"
    elif low >= -margin:
        state = "passed"
        words = f"on the slice {name} it is not worse by more than the margin of {margin:g}"
    else:
        state = "undecided"
        words = f"{name} is undecided, it may be worse by more than the margin of {margin:g}"
        needed = rows_needed(value - low, value + margin, rows) or rows_needed(high - value, -margin - value, rows)
    return Check(
        kind="slice",
        name=name,
        state=state,
        limit=-margin,
        value=value,
        low=low,
        high=high,
        confidence=difference.confidence,
        rows=rows,
        needed=needed,
        reason=f"{words}: {in_words(difference)}, on {rows} {unit}",
    )


def size_check(megabytes: float, limit: float) -> Check:
    return Check(
        kind="size",
        name="size",
        state="passed" if megabytes <= limit else "failed",
        limit=limit,
        value=megabytes,
        reason=f"its file has {megabytes:.3g} MB, the limit is {limit:g} MB",
    )


def latency_check(milliseconds: float, limit: float, rows: int) -> Check:
    return Check(
        kind="latency",
        name=f"latency, {rows} row{'s' if rows != 1 else ''}",
        state="passed" if milliseconds <= limit else "failed",
        limit=limit,
        value=milliseconds,
        rows=rows,
        timed=_near(milliseconds, limit),
        reason=f"a prediction of {rows} row(s) takes {milliseconds:.3g} ms, the limit is {limit:g} ms",
    )


def latency_ratio_check(ratio: float | None, limit: float, rows: int) -> Check:
    """`ratio` to the champion's time; none where there is no champion to be timed."""
    name = f"latency against the champion, {rows} row{'s' if rows != 1 else ''}"
    if ratio is None:
        why = "there is no champion whose predictions could be timed"
        return Check(kind="latency ratio", name=name, state="skipped", limit=limit, rows=rows, reason=why)
    return Check(
        kind="latency ratio",
        name=name,
        state="passed" if ratio <= limit else "failed",
        limit=limit,
        value=ratio,
        rows=rows,
        timed=_near(ratio, limit),
        reason=f"a prediction of {rows} row(s) takes {ratio:.3g} times as long as the champion's, "
        f"the limit is {limit:g} times",
    )


def calibration_check(error: Interval, limit: float, rows: int) -> Check:
    """Failed where the whole interval is above the limit, passed where all of it is within."""
    state: State = "failed" if error.low > limit else "passed" if error.high <= limit else "undecided"
    return Check(
        kind="calibration",
        name="calibration error",
        state=state,
        limit=limit,
        value=error.value,
        low=error.low,
        high=error.high,
        confidence=error.confidence,
        rows=rows,
        reason=f"{'the limit on the calibration is undecided: ' if state == 'undecided' else ''}its calibration error "
        f"is {error.value:.3g}, {100 * error.confidence:g} % interval {error.low:.3g} to {error.high:.3g}, the limit "
        f"is {limit:g}",
    )


def structure_check(p_value: float, limit: float, reason: str) -> Check:
    """Failed where rows without any groups would often show as much structure as these."""
    state: State = "passed" if p_value <= limit else "failed"
    return Check(kind="structure", name="structure (p-value)", state=state, limit=limit, value=p_value, reason=reason)


def floor_check(gain: Interval, floor: str, rows: int, unit: str) -> Check:
    """Its score less that of something that takes no learning.

    Failed where no part of the interval is above zero, passed where all of it is.
    """
    state: State = "failed" if gain.high <= NO_GAIN else "passed" if gain.low > NO_GAIN else "undecided"
    words = {
        "failed": f"it is no better than {floor}",
        "passed": f"it is better than {floor}",
        "undecided": f"it is undecided whether it is better than {floor}",
    }
    return Check(
        kind="floor",
        name=f"gain over {floor}",
        state=state,
        limit=0.0,
        value=gain.value,
        low=gain.low,
        high=gain.high,
        confidence=gain.confidence,
        rows=rows,
        reason=f"{words[state]}: {in_words(gain)}, on {rows} {unit}",
    )


def settle(compared: Verdict, checks: Sequence[Check], *, strict: bool) -> Verdict:
    """The comparison's verdict once the safeguards are heard.

    A failed one holds, whatever else is known. An undecided one is named, and makes a promotion wait where `strict`.
    """
    failed = [check.reason for check in checks if check.state == "failed"]
    if failed:
        reason = f"{compared.reason}; but {'; '.join(failed)}"
        if compared.verdict != "promote":
            reason = f"{'; '.join(failed)}; besides, {compared.reason}"
        return Verdict(verdict="hold", reason=reason)
    undecided = [check.reason for check in checks if check.state == "undecided"]
    if compared.verdict != "promote" or not undecided:
        return compared
    reason = f"{compared.reason}; {'but' if strict else 'though'} {'; '.join(undecided)}"
    return compared.model_copy(update={"verdict": "inconclusive" if strict else "promote", "reason": reason})


def hangs_on_timing(compared: Verdict, checks: Sequence[Check], *, strict: bool) -> bool:
    """Whether a machine of another speed could have come to another verdict."""
    firm = [check for check in checks if not check.timed]
    return len(firm) < len(checks) and settle(compared, firm, strict=strict).verdict != "hold"


def _near(measured: float, limit: float) -> bool:
    return limit / SPEED < measured < limit * SPEED
