"""Fit the winner on shuffled labels: it must then score as chance does."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.analysis.baselines import DUMMY
from penstock.components.leakage.chance import with_shuffled_labels
from penstock.components.leakage.registry import with_winner
from penstock.jobs import Progress
from penstock.jobs.refit import Refit
from penstock.store import Ref, Store

Array = np.ndarray[Any, Any]

MOST_ROWS = 600
MOST_FOLDS = 2


def work(
    store: Store,
    progress: Progress,
    certificate: Ref,
    plan: Ref,
    learning: Ref,
    folds: Ref,
    winner: Ref,
    schema: Ref,
    seed: int,
) -> Ref:
    """The certificate with the answer of its last check.

    The whole pipeline is fitted, preparation and selection too, on a few folds, and judged by a measure whose value of
    chance is known.
    """
    refit = Refit(store, plan, learning, folds, winner, schema, None, seed)
    drawn = np.random.default_rng(seed).permutation(len(refit.y))[:MOST_ROWS]
    parts = [(np.intersect1d(train, drawn), np.intersect1d(valid, drawn)) for train, valid in refit.folds[:MOST_FOLDS]]
    judged = np.concatenate([valid for _, valid in parts])

    def score(shuffled: Array) -> float:
        refit.y = shuffled
        predictions = []
        for train, valid in parts:
            pipeline = refit.try_fit(train)
            if pipeline is None or not len(valid):
                return float("nan")
            predictions.append(refit.predict(pipeline, valid))
        return refit.judge.function(shuffled[judged], np.concatenate(predictions))

    judge = refit.judge
    seen = with_shuffled_labels(score, refit.y, chance=DUMMY[judge.name], label=judge.label, seed=seed)
    return store.put_facts(with_winner(store.facts(certificate), seen))
