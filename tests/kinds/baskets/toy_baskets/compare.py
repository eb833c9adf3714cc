"""The hits of two recommenders, user by user."""

from __future__ import annotations

from penstock.problems.comparison import CompareInput, Difference
from toy_baskets.hits import hits, mean_interval


def compare(given: CompareInput) -> Difference:
    if given.champion is None:
        return Difference()
    new, old = (hits(model.pipeline, given.fresh.frame) for model in (given.model, given.champion))
    if len(new) < 2:
        return Difference(obstacle="fewer than two users are new to the champion")
    behind = new.predicted["share"] - old.predicted["share"]
    return Difference(mean_interval(behind, given.terms.confidence), len(new), "users")
