"""Fit one reduction or density on one fold."""

from __future__ import annotations

import numpy as np

from penstock.components import catalog
from penstock.components.evaluation.unsupervised.scores import (
    main_score,
    require_columns_to_reduce,
    require_finite_scores,
)
from penstock.problems.fits import FitInput, FitResult
from penstock.problems.rows.unsupervised.scores import evidence_of
from penstock.stage import progress

MIN_ROWS = 2


def fit(given: FitInput) -> FitResult:
    """The fold's score, and what each row that the fold's model did not see adds to it."""
    problem, settings, folds, train = given.problem, given.settings, given.folds, given.matrices.train
    candidate, seed = settings.candidate, settings.seed
    if problem == "reduction":
        require_columns_to_reduce(train.shape[1])
    if settings.share < 1:
        rows = max(MIN_ROWS, round(settings.share * len(train)))
        train = train[np.sort(np.random.default_rng(seed).permutation(len(train))[:rows])]
    model = catalog.build(candidate.name, candidate.parameters, seed=seed, problem=problem).fit(train)
    found = main_score(problem, model, train.mean(axis=0), given.valid, seed)
    require_finite_scores(found, candidate.name)
    progress(fits=1)
    valid = folds.valid(settings.fold)
    return FitResult(evidence_of(found, valid, folds.groups_of(valid)), found.value)
