"""May the challenger take the champion's place?"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Literal

from pydantic import BaseModel, ConfigDict

from penstock.components.evaluation.intervals import Interval

MIN_ROWS = 50
MAX_ROWS = 10**9  # beyond this no number of rows is worth stating
LIKELY = 0.8


class Need(BaseModel):
    """Rows like these with which the interval would allow an outcome, if the difference stays what it is.

    `rows`: with an even chance; `likely`: four times in five. With groups, both count groups.
    """

    model_config = ConfigDict(frozen=True)

    outcome: Literal["promote", "hold"]
    rows: int
    likely: int


class Verdict(BaseModel):
    model_config = ConfigDict(frozen=True)

    verdict: Literal["promote", "hold", "inconclusive"]
    reason: str
    needs: list[Need] = []


def decide(difference: Interval, margin: float, rows: int, unit: str = "rows") -> Verdict:
    """Evaluate the interval of challenger less champion, from rows that neither was trained on.

    - promote: the whole interval is above zero, so the challenger is better.
    - hold: the whole interval is at or below the margin, so that any gain is too small to be worth a change.
    - inconclusive: anything else, or fewer than 50 rows (with groups: give the number of groups, as their rows are not
      independent). Then the verdict says how many rows it would take.

    Why superiority, and not "no worse than the margin": a challenger that only equals the champion would pass that
    often, and a chain of such steps may lead downhill by a margin each. With an interval of 95 % an equal model is
    promoted about one time in forty. The margin tells a settled "no gain" from "not enough rows to know".
    """
    seen = f"the challenger's score less the champion's is {in_words(difference)}, on {rows} {unit}"
    if rows >= MIN_ROWS:
        if difference.low > 0:
            return Verdict(verdict="promote", reason=f"the challenger is better: {seen}")
        if difference.high < 0:
            return Verdict(verdict="hold", reason=f"the challenger is worse: {seen}")
        if difference.high <= margin:
            return Verdict(verdict="hold", reason=f"no gain above the margin of {margin:g}: {seen}")
        why = f"it may be a gain above the margin of {margin:g}, or none at all"
    else:
        why = f"too few {unit} to evaluate, {MIN_ROWS} are needed"
    needs = _needs(difference, margin, rows)
    return Verdict(verdict="inconclusive", reason=f"{why}: {seen}; {_needs_in_words(needs, unit)}", needs=needs)


def in_words(difference: Interval) -> str:
    """`+0.021, 95 % interval +0.005 to +0.040`."""
    value, low, high = (f"{number:+.4g}" for number in (difference.value, difference.low, difference.high))
    return f"{value}, {100 * difference.confidence:.4g} % interval {low} to {high}"


def rows_needed(half_width: float, distance: float, rows: int) -> int | None:
    """Rows with which an interval that now reaches so far would reach just so far as the distance.

    Intervals narrow with the root of the number of rows.
    """
    if distance <= 0 or half_width >= distance * math.sqrt(MAX_ROWS / rows):
        return None
    return max(MIN_ROWS, math.ceil(rows * (half_width / distance) ** 2))


def _needs(difference: Interval, margin: float, rows: int) -> list[Need]:
    value = difference.value
    end = NormalDist().inv_cdf((1 + difference.confidence) / 2)
    surer = (end + NormalDist().inv_cdf(LIKELY)) / end
    needs: list[Need] = []
    ways: tuple[tuple[Literal["promote", "hold"], float, float], ...] = (
        ("promote", value - difference.low, value),
        ("hold", difference.high - value, margin - value),
    )
    for outcome, half_width, distance in ways:
        enough, likely = rows_needed(half_width, distance, rows), rows_needed(surer * half_width, distance, rows)
        if enough and likely:
            needs.append(Need(outcome=outcome, rows=enough, likely=likely))
    return needs


def _needs_in_words(needs: list[Need], unit: str) -> str:
    shows = {"promote": "that it is better", "hold": "that there is no such gain"}
    said = [
        f"about {_rounded(need.rows)} {unit} would show {shows[need.outcome]} ({_rounded(need.likely)} with a "
        f"probability of {LIKELY:.0%})"
        for need in needs
    ]
    return f"if the difference stays so, {', or '.join(said)}" if said else f"no number of such {unit} would settle it"


def _rounded(rows: int) -> str:
    """Two digits that count, rounded up: more would be a false precision."""
    step = 10 ** max(0, len(str(rows)) - 2)
    return f"{math.ceil(rows / step) * step:,}"
