"""Fit one reduction or density on one fold."""

from __future__ import annotations

import numpy as np

from penstock.components import catalog
from penstock.problems.fits import FitInput, FitResult
from penstock.problems.rows.unsupervised.scores import evidence_of
from penstock.problems.rows.unsupervised.scoring import Scoring, require_finite_scores
from penstock.stage import progress

MIN_ROWS = 2


def fit_scored(given: FitInput, scoring: Scoring) -> FitResult:
    """The fold's score, and what each row that the fold's model did not see adds to it."""
    problem, settings, folds, train = given.problem, given.settings, given.folds, given.matrices.train
    candidate, seed = settings.candidate, settings.seed
    if settings.share < 1:
        rows = max(MIN_ROWS, round(settings.share * len(train)))
        train = train[np.sort(np.random.default_rng(seed).permutation(len(train))[:rows])]
    model = catalog.build(candidate.name, candidate.parameters, seed=seed, problem=problem).fit(train)
    found = scoring.main(model, train.mean(axis=0), given.valid, seed)
    require_finite_scores(found, candidate.name)
    progress(fits=1)
    valid = folds.valid(settings.fold)
    return FitResult(evidence_of(found, valid, folds.groups_of(valid)), found.value)
