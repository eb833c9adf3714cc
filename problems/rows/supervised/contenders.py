"""The rows on which candidates were judged, and the candidates as they stood there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from penstock.components.evaluation.metrics import Metric
from penstock.components.evaluation.selection import pool
from penstock.components.search.candidates import Candidate
from penstock.evidence.folds import Folds
from penstock.problems.fits import Fitted
from penstock.store import Ref, Store

Array = np.ndarray[Any, Any]

PARTS = 5
"""Parts for learning an ensemble's weights, where there are no folds to do it by."""


@dataclass
class Contender:
    """A candidate's scores, of each fold or one over all rows, and its predictions for rows it had not seen.

    `members`: of an ensemble, what it is made of: name, parameters, preparation and weight.
    """

    candidate: Candidate
    scores: list[float]
    prediction: Array
    members: list[dict[str, Any]] = field(default_factory=list)

    @property
    def score(self) -> float:
        return float(np.mean(self.scores))


@dataclass
class Contest:
    """`rows`: positions among the learning rows. `units`: the rows, or the groups they belong to.

    `part`: which fold judged a row, or which of five random parts it is in where the score is not by fold.
    `independent`: every row was judged once and belongs to no group.
    """

    judge: Metric
    rows: Array
    y: Array
    groups: Array | None
    weight: Array | None
    part: Array
    units: Array
    by_folds: bool
    ordered: bool
    independent: bool
    test_to_train: float

    def scores_of(self, prediction: Array) -> list[float]:
        if not self.by_folds:
            return [self.judge.function(self.y, prediction, self.weight)]
        found = []
        for part in np.unique(self.part):
            rows = self.part == part
            weight = None if self.weight is None else self.weight[rows]
            found.append(self.judge.function(self.y[rows], prediction[rows], weight))
        return [score for score in found if np.isfinite(score)]


def open_contest(
    store: Store, fits: list[Fitted], folds: Folds, judge: Metric, seed: int
) -> tuple[Contest, list[Contender]]:
    facts = [[store.facts(result) for result in fit.results] for fit in fits]
    scores = [[fold["score"] for fold in by_fold if fold["score"] is not None] for by_fold in facts]
    found = [[store.arrays(Ref(**fold["predictions"]))["prediction"] for fold in by_fold] for by_fold in facts]
    numbers = [fold["fold"] for fold in facts[0]]
    valid = [folds.valid(number) for number in numbers]
    rows, predictions = pool(valid, found, folds.judging)
    groups = folds.groups_of(rows)
    independent = groups is None and len(np.unique(rows)) == len(rows)
    if groups is None and not independent:
        groups = rows  # a row that is judged several times is still one row
    by_folds = folds.judging == "folds" and all(scores)  # else no fold alone may define the metric
    units = rows if groups is None else groups
    part = np.random.default_rng(seed).permutation(units.max() + 1)[units] % PARTS
    if by_folds and len(valid) > 1:
        judged = np.concatenate(valid)
        of_fold = np.concatenate([np.full(len(rows), number) for number, rows in zip(numbers, valid, strict=True)])
        part = of_fold[np.argsort(judged, kind="stable")]
    contest = Contest(
        judge=judge,
        rows=rows,
        y=folds.y[rows],
        groups=groups,
        weight=folds.weight_of(rows),
        part=part,
        units=units,
        by_folds=by_folds and len(valid) > 1,
        ordered=folds.ordered and by_folds and len(valid) > 1,
        independent=independent,
        test_to_train=folds.ratio(numbers),
    )
    contenders = [
        Contender(fit.candidate, of_folds if by_folds else contest.scores_of(prediction), prediction)
        for fit, of_folds, prediction in zip(fits, scores, predictions, strict=True)
    ]
    return contest, contenders
