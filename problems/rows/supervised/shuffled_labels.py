"""Fit the winner on shuffled labels: it must then score as chance does."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.analysis.baselines import DUMMY
from penstock.components.leakage.registry import with_winner
from penstock.components.leakage.shuffled_labels import with_shuffled_labels
from penstock.components.preprocessing.plan import Plan
from penstock.components.schema import Schema
from penstock.document.leakage import Certificate
from penstock.problems.data import DataSplit
from penstock.problems.rows.supervised.refit import Refit
from penstock.problems.selection import Winner
from penstock.stage import stage
from penstock.store import Ref, Store

Array = np.ndarray[Any, Any]

MAX_ROWS = 600


@stage(worker=True)
def certify_model(
    store: Store,
    certificate: Ref[Certificate],
    plan: Ref[Plan],
    data_split: DataSplit,
    winner: Ref[Winner],
    schema: Ref[Schema],
    seed: int,
) -> Ref[Certificate]:
    """The certificate with the prediction of its last check.

    The whole pipeline is fitted, preparation and selection too, on one fold for each shuffle, and evaluated by a
    measure whose value of chance is known.
    """
    refit = Refit(store, plan, data_split, winner, schema, None, seed)
    drawn = np.random.default_rng(seed).permutation(len(refit.y))[:MAX_ROWS]
    train, valid = (np.intersect1d(rows, drawn) for rows in refit.folds[0])

    def score(shuffled: Array) -> float:
        refit.y = shuffled
        pipeline = refit.try_fit(train)
        if pipeline is None or not len(valid):
            return float("nan")
        return refit.metric.function(shuffled[valid], refit.predict(pipeline, valid))

    scoring_metric = refit.metric
    seen = with_shuffled_labels(
        score, refit.y, chance_level=DUMMY[scoring_metric.name], label=scoring_metric.label, seed=seed
    )
    return store.put_facts(Certificate.model_validate(with_winner(store.facts(certificate).model_dump(), seen)))
