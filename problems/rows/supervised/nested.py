"""Evaluate the winners of nested cross-validation, each on the outer fold that it never saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from pydantic import BaseModel

from penstock.components.evaluation.intervals import percentiles, require_defined, resampled
from penstock.components.evaluation.metrics import default_metric, metric
from penstock.components.evaluation.scorers import scorer_by_folds
from penstock.components.evaluation.unseen import unseen_ends
from penstock.document.candidates import Nested, NestedWinner
from penstock.evidence.evidence import Evidence
from penstock.model import load_bundle
from penstock.problems.rows.supervised.evidence import evidence_of
from penstock.problems.selection import Winner
from penstock.stage import stage
from penstock.store import Ref, Store

RESAMPLES = 1000
CONFIDENCE = 0.95

Array = np.ndarray[Any, Any]


class Outer(BaseModel):
    """The winner of a search inside an outer fold, as a model, and the rows it is evaluated on."""

    winner: Ref[Winner]
    model: Ref
    test: Ref


@stage(worker=True)
def evaluate_outer(store: Store, outer: list[Outer], metric_name: str | None, seed: int) -> Ref[Nested]:
    """The mean over the outer folds, with an interval over resampled rows or groups, and who won where."""
    n_classes = len(load_bundle(store.path(outer[0].model)).schema.classes or [])
    found = [_evidence(store, one) for one in outer]
    deciding = metric(metric_name or default_metric(n_classes), n_classes)
    scores = [deciding.function(one.y, one.prediction, one.weight) for one in found]
    defined = [score for score in scores if np.isfinite(score)]
    mean = float(np.mean(defined)) if defined else float("nan")
    y, prediction = np.concatenate([one.y for one in found]), np.concatenate([one.prediction for one in found])
    groups, weight = _joined([one.groups for one in found]), _joined([one.weight for one in found])
    folds = np.repeat(np.arange(len(found)), [len(one) for one in found])
    scorer = scorer_by_folds(deciding, y, prediction, folds, weight)
    blocks = [scorer(weights) for weights in resampled(len(folds), groups, seed, RESAMPLES)]
    unseen = partial(unseen_ends, deciding, y, prediction, groups=groups, weight=weight)
    interval = percentiles(mean, require_defined(deciding, blocks), CONFIDENCE, unseen)
    winners = [store.facts(one.winner) for one in outer]
    return store.put_facts(
        Nested(
            **interval.model_dump(),
            metric=deciding.name,
            folds=[score if np.isfinite(score) else None for score in scores],
            winners=[NestedWinner(name=winner.name, parameters=winner.parameters) for winner in winners],
        )
    )


def _evidence(store: Store, outer: Outer) -> Evidence:
    """The groups by name: codes of one fold mean nothing in another."""
    model, frame = load_bundle(store.path(outer.model)), store.frame(outer.test)
    group = model.schema.named("group")
    groups = frame[group].astype(str).to_numpy(object) if group else None
    return replace(evidence_of(model, frame), groups=groups)


def _joined(arrays: Sequence[Array | None]) -> Array | None:
    """Joined, where there are any."""
    known = [array for array in arrays if array is not None]
    return np.concatenate(known) if known else None
