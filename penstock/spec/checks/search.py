"""Whether the budget lets the search do what it is asked for."""

from __future__ import annotations

from penstock.components.search import require_members, too_many
from penstock.errors import UsageError
from penstock.problems import find
from penstock.spec.pipeline import Spec
from penstock.spec.searched import search_scope


def check_strategy(spec: Spec, path: str) -> None:
    allowed = find(spec.problem).strategies
    if spec.search.strategy not in allowed:
        raise UsageError(
            "PEN025",
            f"the strategy '{spec.search.strategy}' follows one score, which a {spec.problem} does not have",
            where=f"{path}: search.strategy",
            remedy=f"use {' or '.join(sorted(allowed))}",
        )


def check_budget(spec: Spec, path: str) -> None:
    """Where the number of folds hangs on the rows, a budget that would not do for one fold does not do at all."""
    if spec.automatic:
        return
    folds = spec.split.n_folds if find(spec.problem).cross_validated else 1
    scope, candidates = search_scope(spec), max(1, spec.search.fits // (folds or 1))
    if scope.needed > candidates:
        raise too_many(scope, candidates, folds, f"{path}: search.fits")
    if spec.search.ensembles:
        require_members(scope.total(candidates), f"{path}: search.ensembles")
