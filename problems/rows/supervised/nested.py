"""Judge the winners of nested cross-validation, each on the outer fold that it never saw."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from pydantic import BaseModel

from penstock.components.evaluation.intervals import percentiles, require_defined, resampled
from penstock.components.evaluation.metrics import default_metric, metric
from penstock.components.evaluation.scorers import scorer_by_folds
from penstock.components.evaluation.unseen import unseen_ends
from penstock.components.schema import encode_target
from penstock.model import load_bundle
from penstock.problems.rows.supervised.prediction import predict
from penstock.problems.selection import Winner
from penstock.stage import stage
from penstock.store import Ref, Store

RESAMPLES = 1000
CONFIDENCE = 0.95


class Outer(BaseModel):
    """The winner of a search inside an outer fold, as a model, and the rows it is judged on."""

    winner: Ref
    model: Ref
    test: Ref


@stage(worker=True)
def judge_outer(store: Store, outer: list[Outer], metric_name: str | None, seed: int) -> Ref:
    """The mean over the outer folds, with an interval over resampled rows or groups, and who won where."""
    sides = [_judged(store, one) for one in outer]
    n_classes = sides[0]["n_classes"]
    judge = metric(metric_name or default_metric(n_classes), n_classes)
    scores = [judge.function(side["y"], side["prediction"], side["weight"]) for side in sides]
    defined = [score for score in scores if np.isfinite(score)]
    joined = {name: _joined(sides, name) for name in ("y", "prediction", "groups", "weight")}
    parts = np.repeat(np.arange(len(sides)), [len(side["y"]) for side in sides])
    scorer = scorer_by_folds(judge, joined["y"], joined["prediction"], parts, joined["weight"])
    blocks = [scorer(weights) for weights in resampled(len(parts), joined["groups"], seed, RESAMPLES)]
    mean = float(np.mean(defined)) if defined else float("nan")
    rows = {name: joined[name] for name in ("groups", "weight")}
    unseen = partial(unseen_ends, judge, joined["y"], joined["prediction"], **rows)
    interval = percentiles(mean, require_defined(judge, blocks), CONFIDENCE, unseen)
    winners = [store.facts(one.winner, Winner) for one in outer]
    shown = [{"name": winner.name, "parameters": winner.parameters} for winner in winners]
    folds = [score if np.isfinite(score) else None for score in scores]
    return store.put_facts({**interval.model_dump(), "metric": judge.name, "folds": folds, "winners": shown})


def _joined(sides: list[dict[str, Any]], name: str) -> Any:
    return None if sides[0][name] is None else np.concatenate([side[name] for side in sides])


def _judged(store: Store, outer: Outer) -> dict[str, Any]:
    bundle, frame = load_bundle(store.path(outer.model)), store.frame(outer.test)
    schema = bundle.schema
    n_classes = len(schema.classes or [])
    group, weight = schema.named("group"), schema.named("weight")
    return {
        "n_classes": n_classes,
        "y": encode_target(frame[str(schema.target)], schema),
        "prediction": predict(bundle.pipeline, frame, n_classes),
        "groups": frame[group].astype(str).to_numpy(object) if group else None,
        "weight": frame[weight].to_numpy() if weight else None,
    }
