"""Fit to the purchases of some users, and see what the others have bought."""

from __future__ import annotations

from penstock.components import catalog
from penstock.problems.data import Units
from penstock.problems.fits import FitInput, FitResult
from penstock.stage import progress
from toy_baskets.hits import hits


def tables_of(units: Units) -> dict[str, object]:
    return {"purchases": units.frame, **units.tables}


def fit(given: FitInput) -> FitResult:
    candidate = given.settings.candidate
    assert given.training is not None
    assert given.validation is not None
    model = catalog.build(candidate.name, candidate.parameters, seed=given.settings.seed, problem=given.problem)
    evidence = hits(model.fit(tables_of(given.training)), given.validation.frame)
    progress(fits=1)
    return FitResult(evidence, float(evidence.predicted["share"].mean()))
