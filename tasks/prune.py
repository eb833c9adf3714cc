"""Prune: end the candidates that are too far behind after one fold."""

from __future__ import annotations

from penstock.components.search.candidates import BASELINE
from penstock.evidence.folds import Folds
from penstock.problems import find
from penstock.problems.selection import Ended, Fitted, PruneInput, PruneRequest
from penstock.stage import stage
from penstock.store import Store


@stage(worker=True, asks="prune")
def prune(store: Store, problem: str, request: PruneRequest) -> list[Ended]:
    """The candidates that are so far behind that the other folds need not be fitted; never the baseline."""
    begun = [fit for fit in request.fits if fit.results]
    if len(begun) < 2:
        return []
    fits = [Fitted.load(store, fit) for fit in begun]
    given = PruneInput(problem, request.settings, fits, Folds.load(store, request.folds))
    ended: list[Ended] = find(problem).function("prune")(given)
    spared = {fit.candidate.number for fit in request.fits if fit.candidate.name == BASELINE}
    return [one for one in ended if one.number not in spared]
