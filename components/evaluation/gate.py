"""May the challenger take the champion's place?"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from penstock.components.evaluation.intervals import Interval

FEWEST_ROWS = 50


class Verdict(BaseModel):
    model_config = ConfigDict(frozen=True)

    verdict: Literal["promote", "hold", "inconclusive"]
    reason: str


def decide(difference: Interval, margin: float, rows: int) -> Verdict:
    """Judge the interval of challenger less champion, from rows that neither has learnt from.

    - promote: the whole interval is above zero, so the challenger is better.
    - hold: the whole interval is at or below the margin, so that any gain is too small to be worth a change.
    - inconclusive: anything else, or fewer than 50 rows (with groups: give the number of groups, as their rows are not
      independent).

    Why superiority, and not "no worse than the margin": a challenger that only equals the champion would pass that
    often, and a chain of such steps may lead downhill by a margin each. With an interval of 95 % an equal model is
    promoted about one time in forty. The margin tells a settled "no gain" from "not enough rows to know".
    """
    seen = (
        f"the challenger's score less the champion's is {_signed(difference.value)}, {100 * difference.confidence:g} % "
        f"interval {_signed(difference.low)} to {_signed(difference.high)}, on {rows} rows"
    )
    if rows < FEWEST_ROWS:
        return Verdict(verdict="inconclusive", reason=f"too few rows to judge, {FEWEST_ROWS} are needed: {seen}")
    if difference.low > 0:
        return Verdict(verdict="promote", reason=f"the challenger is better: {seen}")
    if difference.high < 0:
        return Verdict(verdict="hold", reason=f"the challenger is worse: {seen}")
    if difference.high <= margin:
        return Verdict(verdict="hold", reason=f"no gain above the margin of {margin:g}: {seen}")
    return Verdict(
        verdict="inconclusive", reason=f"it may be a gain above the margin of {margin:g}, or none at all: {seen}"
    )


def _signed(number: float) -> str:
    return f"{number:+.4g}"
