"""The rows that candidates were evaluated on, with the predictions of each candidate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from penstock.components.evaluation.metrics import Metric
from penstock.components.evaluation.selection import pool
from penstock.evidence.evidence import Evidence
from penstock.evidence.folds import Folds
from penstock.problems.ranking import Standing
from penstock.problems.selection import Fitted

Array = np.ndarray[Any, Any]

PARTS = 5
"""Parts to train an ensemble's weights on, where there are no folds to do it by."""


@dataclass
class Pool:
    """The rows of all folds together.

    `rows`: positions among the training rows. `groups`: those that the rows belong to; a row that was evaluated several
    times is one of its own. `part`: the fold that evaluated a row, or which of five random parts it is in where the
    score is not by fold. `independent`: every row was evaluated once and belongs to no group.
    """

    metric: Metric
    rows: Array
    y: Array
    groups: Array | None
    weight: Array | None
    part: Array
    by_folds: bool
    ordered: bool
    independent: bool
    ratio: float

    @property
    def units(self) -> Array:
        return self.rows if self.groups is None else self.groups

    def evidence(self, prediction: Array) -> Evidence:
        return Evidence(self.rows, {"prediction": prediction}, {"y": self.y}, self.groups, self.weight)

    def scores_of(self, prediction: Array) -> list[float]:
        if not self.by_folds:
            return [self.metric.function(self.y, prediction, self.weight)]
        found = []
        for part in np.unique(self.part):
            rows = self.part == part
            weight = None if self.weight is None else self.weight[rows]
            found.append(self.metric.function(self.y[rows], prediction[rows], weight))
        return [score for score in found if np.isfinite(score)]


def pool_folds(fits: list[Fitted], folds: Folds, metric: Metric, seed: int) -> tuple[Pool, list[Standing]]:
    scores = [[fold.score for fold in fit.folds if fold.score is not None] for fit in fits]
    numbers = [fold.fold for fold in fits[0].folds]
    valid = [folds.valid(number) for number in numbers]
    predicted = [[fold.evidence.prediction for fold in fit.folds] for fit in fits]
    rows, predictions = pool(valid, predicted, folds.scored_on)
    groups = folds.groups_of(rows)
    independent = groups is None and len(np.unique(rows)) == len(rows)
    if groups is None and not independent:
        groups = rows
    defined = folds.scored_on == "folds" and all(scores)  # else no fold alone may define the metric
    by_folds = defined and len(valid) > 1
    units = rows if groups is None else groups
    part = np.random.default_rng(seed).permutation(units.max() + 1)[units] % PARTS
    if by_folds:
        evaluated = np.concatenate(valid)
        of_fold = np.concatenate([np.full(len(rows), number) for number, rows in zip(numbers, valid, strict=True)])
        part = of_fold[np.argsort(evaluated, kind="stable")]
    pooled = Pool(
        metric=metric,
        rows=rows,
        y=folds.y[rows],
        groups=groups,
        weight=folds.weight_of(rows),
        part=part,
        by_folds=by_folds,
        ordered=folds.ordered and by_folds,
        independent=independent,
        ratio=folds.ratio(numbers),
    )
    standings = [
        Standing(fit.candidate, pooled.evidence(made), of_folds if defined else pooled.scores_of(made))
        for fit, of_folds, made in zip(fits, scores, predictions, strict=True)
    ]
    return pooled, standings
