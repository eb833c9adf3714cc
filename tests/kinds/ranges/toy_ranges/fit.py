"""Fit a box to all rows."""

from __future__ import annotations

import numpy as np

from penstock.components import catalog
from penstock.problems.fits import FitRequest
from penstock.stage import progress
from penstock.store import Ref, Store


def fit(store: Store, problem: str, request: FitRequest) -> Ref:
    rows = np.asarray(store.matrix(request.prepared.train))
    candidate = request.candidate
    model = catalog.build(candidate.name, candidate.parameters, seed=request.seed, problem=problem).fit(rows)
    progress(fits=1)
    return store.put_facts({"fold": request.fold, "score": model.score(rows)})
