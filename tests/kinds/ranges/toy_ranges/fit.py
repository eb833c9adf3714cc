"""Fit a box to all rows."""

from __future__ import annotations

import numpy as np

from penstock.components import catalog
from penstock.evidence.evidence import Evidence
from penstock.problems.fits import FitInput, FitResult
from penstock.stage import progress


def fit(given: FitInput) -> FitResult:
    rows, candidate = given.matrices.train, given.settings.candidate
    model = catalog.build(candidate.name, candidate.parameters, seed=given.settings.seed, problem=given.problem)
    inside = model.fit(rows).predict(rows)
    progress(fits=1)
    return FitResult(Evidence(np.arange(len(rows)), {"inside": inside}), float(inside.mean()))
