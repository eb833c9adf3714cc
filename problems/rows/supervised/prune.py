"""Find the candidates that one fold shows to have no chance of winning."""

from __future__ import annotations

from penstock.components.evaluation.metrics import default_metric, metric
from penstock.components.search.pruning import prunable
from penstock.evidence.folds import Folds
from penstock.problems.fits import Fitted
from penstock.problems.selection import Ended, PruneRequest
from penstock.store import Ref, Store


def prune(store: Store, problem: str, request: PruneRequest, fits: list[Fitted]) -> list[Ended]:
    """`fits`: on the first fold."""
    cut = Folds.load(store, request.folds)
    if cut.ordered:
        return []  # the first fold in time has the fewest rows to learn from: it tells little of the later ones
    valid, n_classes = cut.valid(0), cut.n_classes
    judge = metric(request.metric or default_metric(n_classes), n_classes)
    predictions = [store.arrays(Ref(**store.facts(fit.results[0])["predictions"]))["prediction"] for fit in fits]
    leader, gaps = prunable(
        judge,
        cut.y[valid],
        predictions,
        groups=cut.groups_of(valid),
        weight=cut.weight_of(valid),
        seed=request.seed,
        candidates=request.candidates,
        test_to_train=cut.ratio([0]),
    )
    best = fits[leader].candidate.label
    return [Ended(number=fits[position].candidate.number, leader=best, gap=gap) for position, gap in gaps.items()]
