"""Find the candidates that one fold shows to have no chance of winning."""

from __future__ import annotations

from penstock.components.evaluation.metrics import default_metric, metric
from penstock.components.search.pruning import prunable
from penstock.problems.selection import Ended, PruneInput


def prune(given: PruneInput) -> list[Ended]:
    settings, folds = given.settings, given.folds
    if folds.ordered:
        return []  # the first fold in time has the fewest rows to learn from: it tells little of the later ones
    found = [fit.folds[0].evidence for fit in given.fits]
    leader, gaps = prunable(
        metric(settings.metric or default_metric(folds.n_classes), folds.n_classes),
        found[0].y,
        [one.prediction for one in found],
        groups=found[0].groups,
        weight=found[0].weight,
        seed=settings.seed,
        candidates=settings.candidates,
        test_to_train=folds.ratio([0]),
    )
    best = given.fits[leader].candidate.label
    return [Ended(number=given.fits[place].candidate.number, leader=best, gap=gap) for place, gap in gaps.items()]
