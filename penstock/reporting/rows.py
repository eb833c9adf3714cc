"""The lines of the report's tables of scores and candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from penstock.document.candidates import Score, Tried
from penstock.document.data import Target
from penstock.document.facts import Interval
from penstock.document.formats import Shown, as_shown
from penstock.document.run import RunDocument
from penstock.reporting import words
from penstock.reporting.chart import Line

BASELINES = ("baseline", "dummy")


class ScoreRow(NamedTuple):
    name: str
    label: str
    shown: Shown
    seen: Shown
    meaning: str
    gauge: words.Gauge | None


@dataclass(frozen=True)
class CandidateRow:
    """A candidate, errors as positive numbers; `over_baseline`: how much better than the baseline it is."""

    tried: Tried
    shown: Shown
    behind: str
    baseline: bool
    over_baseline: float | None

    @property
    def line(self) -> Line:
        return Line(self.tried.label, self.shown, self.tried.folds)

    @property
    def not_better(self) -> bool:
        return self.over_baseline is not None and self.over_baseline <= 0


def score_rows(document: RunDocument) -> list[ScoreRow]:
    """The metric that decided first."""
    found = [
        _score(name, score, document.data.target, document.in_sample.get(name))
        for name, score in document.metrics.items()
    ]
    return sorted(found, key=lambda score: score.name != document.metric)


def candidate_rows(document: RunDocument, sign: int) -> list[CandidateRow]:
    """The winner first, then by rank or else by score, then those that did not finish; errors as positive numbers."""
    every = document.candidates

    def place(one: Tried) -> tuple[bool, float, bool, float]:
        score = one.score
        return one.label != document.winner.label, one.rank or len(every) + 1, score is None, -(score or 0)

    ordered = sorted(every, key=place)
    baseline = next((one for one in ordered if is_baseline(one)), None)
    floor = None if baseline is None else _shown(baseline, sign).value
    return [_row(one, sign, None if one is baseline else floor) for one in ordered]


def is_baseline(candidate: Tried) -> bool:
    return candidate.name.startswith(BASELINES)


def _row(one: Tried, sign: int, floor: float | None) -> CandidateRow:
    shown = _shown(one, sign)
    gain = None if shown.value is None or floor is None else sign * (shown.value - floor)
    return CandidateRow(one, shown, words.against_words(one.against), is_baseline(one), gain)


def _shown(one: Tried, sign: int) -> Shown:
    return as_shown(Interval(value=one.score, low=one.low, high=one.high), sign)


def _score(name: str, score: Score, target: Target, in_sample: float | None) -> ScoreRow:
    shown = as_shown(score, score.sign)
    return ScoreRow(
        name=name,
        label=score.label[:1].upper() + score.label[1:],
        shown=shown,
        seen=as_shown(Interval(value=in_sample, low=None, high=None), score.sign),
        meaning=words.meaning(name, score, positive=target.positive, what=target.words),
        gauge=words.gauge(name, shown),
    )
