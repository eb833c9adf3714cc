"""Rank candidates by their evidence, and compare each with the winner: alike for every kind of question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from penstock.components.ensembles.chosen import Member
from penstock.components.evaluation.comparisons import (
    MIN_FOLDS,
    Against,
    Decisions,
    against_on_folds,
    against_on_rows,
    fold_interval,
    with_holm,
)
from penstock.components.evaluation.intervals import Floats
from penstock.components.evaluation.selection import CorrectedScore, rank
from penstock.components.search.candidates import Candidate
from penstock.evidence.evidence import Evidence
from penstock.problems.selection import Compared, SelectionEvidence


@dataclass(frozen=True)
class Standing:
    """A candidate as it stands: its evidence for all units, and its scores.

    `scores` decide: of each fold, or one of all units. `by_fold` are shown, where those that decide are not by fold.
    `members`: of an ensemble, what it is made of.
    """

    candidate: Candidate
    evidence: Evidence
    scores: list[float]
    by_fold: list[float] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)

    @property
    def score(self) -> float:
        return float(np.mean(self.scores))


def best_first(standings: Sequence[Standing]) -> list[int]:
    return rank([one.scores for one in standings])


@dataclass(frozen=True)
class Resampled:
    """The candidates' scores on resamples of the units, and what picking among so many is worth.

    `scores` has a row for each candidate. `ratio`: how many units evaluate for each that trains.
    """

    scores: Floats
    corrected: CorrectedScore
    ratio: float


def compare_with_winner(
    standings: Sequence[Standing],
    winner: int,
    resampled: Resampled,
    *,
    metric: str,
    decisions: Callable[[Evidence, Evidence], Decisions] | None = None,
) -> SelectionEvidence:
    """The candidates, best first; by fold where there are ten, else on resamples. `decisions` compares predictions
    too.
    """
    first, ratio = standings[winner], resampled.ratio
    others = [position for position in range(len(standings)) if position != winner]
    found = []
    for position in others:
        other = standings[position]
        if len(first.scores) == len(other.scores) >= MIN_FOLDS:
            against = against_on_folds(first.scores, other.scores, ratio)
        else:
            differences = resampled.scores[winner] - resampled.scores[position]
            against = against_on_rows(first.score, other.score, differences, ratio)
        if decisions:
            against = against.model_copy(update={"decisions": decisions(first.evidence, other.evidence)})
        found.append(against)
    behind = dict(zip(others, with_holm(found), strict=True))
    order = best_first(standings)
    corrected = resampled.corrected
    return SelectionEvidence(
        number=first.candidate.number,
        metric=metric,
        compared=[_compared(standings[one], corrected, one, behind.get(one), ratio) for one in order],
        rule="best",
        best=standings[order[0]].candidate.label,
        alike=[standings[one].candidate.label for one in order if one in behind and behind[one].alike],
        added=[one.candidate.number for one in standings if one.members],
        naive=corrected.naive,
        corrected=corrected.corrected,
        resamples=corrected.resamples,
    )


def _compared(
    one: Standing, corrected: CorrectedScore, position: int, against: Against | None, ratio: float
) -> Compared:
    interval, by_fold = corrected.candidates[position], one.by_fold or one.scores
    return Compared(
        candidate=one.candidate,
        folds=by_fold,
        score=one.score,
        low=interval.low,
        high=interval.high,
        over_folds=fold_interval(by_fold, ratio),
        against=against,
        members=one.members,
    )
