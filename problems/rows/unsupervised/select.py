"""Choose among reductions or densities by what they are worth on rows that their fits had not seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.evaluation.unsupervised.row_scores import corrected, drawn, joined
from penstock.evidence.folds import Folds
from penstock.problems.ranking import Resampled, Standing, best_first, compare_with_winner
from penstock.problems.rows.unsupervised.scores import evidence_of, scores_of
from penstock.problems.rows.unsupervised.scoring import Scoring
from penstock.problems.selection import Selected, SelectInput, Winner

Array = np.ndarray[Any, Any]


def select_scored(given: SelectInput, scoring: Scoring) -> Selected:
    """The best over all rows together; each other compared with it, and its score corrected for having been picked."""
    settings = given.settings
    numbers = [fold.fold for fold in given.fits[0].folds]
    units = np.concatenate([given.folds.valid(number) for number in numbers])
    groups = _groups(given.folds, units)
    by_fold = [[scores_of(fold.evidence) for fold in fit.folds] for fit in given.fits]
    scores = [joined(one) for one in by_fold]
    standings = [
        Standing(fit.candidate, evidence_of(whole, units, groups), [whole.value], [one.value for one in folds])
        for fit, whole, folds in zip(given.fits, scores, by_fold, strict=True)
    ]
    resampled = Resampled(
        drawn(scores, seed=settings.seed, groups=groups),
        corrected(scores, seed=settings.seed, groups=groups),
        given.folds.ratio(numbers),
    )
    best = best_first(standings)[0]
    chosen = standings[best].candidate
    winner = Winner(name=chosen.name, parameters=chosen.parameters, component=settings.components[chosen.name])
    return Selected(winner, compare_with_winner(standings, best, resampled, metric=scoring.metric))


def _groups(folds: Folds, units: Array) -> Array | None:
    """What is drawn whole: groups, or rows where one was evaluated several times; None where every row is by itself."""
    if folds.groups is not None:
        return folds.groups_of(units)
    return units if len(np.unique(units)) < len(units) else None
