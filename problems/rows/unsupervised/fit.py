"""Fit one reduction or density on one fold."""

from __future__ import annotations

import numpy as np

from penstock.components import catalog
from penstock.components.held_out.judging import (
    main_score,
    require_columns_to_reduce,
    require_finite_scores,
)
from penstock.problems.fits import FitRequest
from penstock.stage import progress
from penstock.store import Ref, Store

MIN_ROWS = 2


def fit(store: Store, problem: str, request: FitRequest) -> Ref:
    """The fold's score, and what each row that the fold's model did not see adds to it."""
    candidate, prepared, seed, share = request.candidate, request.prepared, request.seed, request.share
    assert prepared.valid is not None
    train, valid = (np.asarray(store.matrix(matrix)) for matrix in (prepared.train, prepared.valid))
    if problem == "reduction":
        require_columns_to_reduce(train.shape[1])
    if share < 1:
        rows = max(MIN_ROWS, round(share * len(train)))
        train = train[np.sort(np.random.default_rng(seed).permutation(len(train))[:rows])]
    model = catalog.build(candidate.name, candidate.parameters, seed=seed, problem=problem).fit(train)
    found = main_score(problem, model, train.mean(axis=0), valid, seed)
    require_finite_scores(found, candidate.name)
    progress(fits=1)
    by_row = store.put_arrays(gain=found.gain, base=found.base)
    return store.put_facts({"fold": request.fold, "score": found.value, "rows": by_row})
