"""Fit the winner on shuffled labels: it must then score as chance does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.analysis.baselines import DUMMY
from penstock.components.ensembles.voting import build_chosen
from penstock.components.evaluation.metrics import default_metric, metric
from penstock.components.leakage.base import Seen, does_not_apply
from penstock.components.leakage.chance import with_shuffled_labels
from penstock.components.leakage.registry import with_winner
from penstock.components.preprocessing.preparation import build_pipeline, with_copies
from penstock.components.schema import Schema
from penstock.components.splitting import Fold
from penstock.components.splitting import folds as cut_folds
from penstock.errors import DataError
from penstock.jobs import Progress
from penstock.jobs.prediction import predict
from penstock.store import Ref, Store

Array = np.ndarray[Any, Any]

MOST_ROWS = 800
MOST_FOLDS = 3


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
    """The certificate with the answer of its last check."""
    typed, arrays = Schema(**store.facts(schema)), store.arrays(folds)
    frame, y = store.frame(learning), arrays["y"]
    drawn = np.random.default_rng(seed).permutation(len(y))[:MOST_ROWS]
    parts = [Fold(*(np.intersect1d(side, drawn) for side in part)) for part in _folds(arrays, typed, seed)]
    try:
        seen = _shuffled(store.facts(plan), store.facts(winner), frame, y, parts, typed, seed)
    except (ValueError, DataError) as error:  # a winner may need more rows than these
        seen = does_not_apply(f"the winner cannot be fitted on so few rows: {error}")
    return store.put_facts(with_winner(store.facts(certificate), seen))


def _shuffled(
    plan: dict[str, Any],
    winner: dict[str, Any],
    frame: pd.DataFrame,
    y: Array,
    parts: list[Fold],
    schema: Schema,
    seed: int,
) -> Seen:
    """The whole pipeline, preparation and selection too, on each fold; judged by a measure of known chance."""
    n_classes = len(schema.classes or [])
    judge = metric(default_metric(schema.problem, n_classes), schema.problem, n_classes)

    def score(shuffled: Array) -> float:
        predictions = []
        for train, valid in parts:
            model = build_chosen(winner, seed=seed, problem=schema.problem)
            taught, origin = with_copies(plan, frame.iloc[train])
            pipeline = build_pipeline(plan, model, seed=seed)
            if len(np.unique(shuffled[train])) < 2:
                return float("nan")
            pipeline.fit(taught, shuffled[train][origin])
            predictions.append(predict(pipeline, frame.iloc[valid], n_classes))
        judged = np.concatenate([valid for _, valid in parts])
        return judge.function(shuffled[judged], np.concatenate(predictions), None)

    return with_shuffled_labels(score, y, chance=DUMMY[judge.name], label=judge.label, seed=seed)


def _folds(arrays: dict[str, Any], schema: Schema, seed: int) -> list[Fold]:
    """Those of the search, or a few of their kind, where each would judge a single row."""
    if str(arrays["judging"]) == "folds":
        numbers = range(sum(name.startswith("train_") for name in arrays))
        return [Fold(arrays[f"train_{number}"], arrays[f"valid_{number}"]) for number in numbers][:MOST_FOLDS]
    return cut_folds(
        len(arrays["y"]),
        recipe="cross-validation-and-test",
        folds=MOST_FOLDS,
        validation=0.25,
        stratify=False,
        seed=seed,
        classes=None,
        groups=arrays.get("groups"),
    )
