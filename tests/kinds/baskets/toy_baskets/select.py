"""The recommender with the most hits."""

from __future__ import annotations

import numpy as np

from penstock.problems.selection import Compared, Selected, SelectInput, SelectionEvidence, Winner
from toy_baskets.hits import METRIC


def select(given: SelectInput) -> Selected:
    by_candidate = [(one.candidate, [fold.score or 0.0 for fold in one.folds]) for one in given.fits]
    compared = [Compared(candidate=one, score=float(np.mean(folds)), folds=folds) for one, folds in by_candidate]
    compared.sort(key=lambda one: -(one.score or 0.0))
    best = compared[0].candidate
    winner = Winner(name=best.name, parameters=best.parameters, component=given.settings.components[best.name])
    return Selected(winner, SelectionEvidence(number=best.number, metric=METRIC, compared=compared))
