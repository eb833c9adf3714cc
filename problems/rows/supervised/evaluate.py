"""Judge the model on the test rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.evaluation.calibration import calibration
from penstock.components.evaluation.coverage import coverage
from penstock.components.evaluation.intervals import bootstrap_interval
from penstock.components.evaluation.metrics import answering, default_metric, shown
from penstock.components.evaluation.quality import quality
from penstock.components.schema import Schema, encode_target
from penstock.errors import DataError
from penstock.model import PenstockModel, load_bundle
from penstock.problems.rows.supervised.prediction import predict
from penstock.problems.training import EvaluateRequest
from penstock.stage import progress
from penstock.store import Ref, Store

Array = np.ndarray[Any, Any]


def evaluate(store: Store, problem: str, request: EvaluateRequest) -> tuple[Ref, Ref]:
    """The usual metrics and those asked for, on unseen rows with intervals and on rows learnt from; what plots need.

    Metrics of answers judge the answers that the model gives: by its threshold or costs, if it has such.
    """
    bundle = load_bundle(store.path(request.trained.model))
    schema = bundle.schema
    frame = store.frame(request.parts.test)
    group, weighing = schema.named("group"), schema.named("weight")
    groups = pd.factorize(frame[group])[0] if group else None
    judges = shown(len(schema.classes or []), request.metrics)
    y, prediction, weight = _told(bundle.pipeline, frame, schema)
    answers = bundle.predictions.decide(prediction)
    scores = {}
    needed = request.metrics or [default_metric(len(schema.classes or []))]
    for judge in judges:
        judged = answering(judge, prediction, answers)
        try:
            interval = bootstrap_interval(judge, y, judged, groups=groups, weight=weight, seed=request.seed)
        except DataError:  # such as the ROC AUC of test rows of one class
            if judge.name in needed:
                raise
            continue
        scores[judge.name] = {**interval.model_dump(), "label": judge.label, "sign": judge.sign, "text": judge.text}
        progress(metric=judge.name)
    seen, said, counted = _told(bundle.pipeline, store.frame(request.parts.learning), schema)
    answered = bundle.predictions.decide(said)
    in_sample = {
        judge.name: judge.function(seen, answering(judge, said, answered), counted)
        for judge in judges
        if judge.name in scores
    }
    kept = {"y": y, "prediction": prediction} | ({"groups": groups} if groups is not None else {})
    kept |= {"weight": weight} if weight is not None else {}
    kept |= {"answers": answers} if answers is not None else {}
    given: dict[str, Any] = {"groups": groups, "weight": weight, "seed": request.seed}
    facts: dict[str, Any] = {"metrics": scores, "in_sample": in_sample, "rows": len(frame), "weight": weighing}
    if schema.classes:
        facts["quality"] = quality(y, prediction.argmax(axis=1) if answers is None else answers, schema.classes, weight)
        facts["calibration"] = calibration(y, prediction, **given)
    if getattr(bundle.pipeline[-1], "calibrator", None) is not None:
        kept["uncalibrated"] = _uncalibrated(bundle, frame, len(schema.classes or []))
        before = calibration(y, kept["uncalibrated"], **given)
        facts["calibration"]["before"] = {name: before[name] for name in ("error", "brier")}
    if bundle.predictions.covers:
        covered, sizes = _covered(bundle, y, prediction)
        facts["coverage"] = coverage(covered, sizes, **given)
    return store.put_facts(facts), store.put_arrays(**kept)


def _uncalibrated(bundle: PenstockModel, frame: pd.DataFrame, n_classes: int) -> Array:
    """What the model would promise without the calibrator."""
    return predict(bundle.pipeline[-1].estimator_, bundle.pipeline[:-1].transform(frame), n_classes)


def _covered(bundle: PenstockModel, y: Array, prediction: Array) -> tuple[Array, Array]:
    """Whether each row's set or interval holds the truth, and its size."""
    rule = bundle.pipeline[-1]
    if prediction.ndim == 1:
        low, high = rule.intervals(prediction).T
        return (low <= y) & (y <= high), high - low
    known = bundle.pipeline.classes_
    sets = np.zeros(prediction.shape, dtype=bool)
    sets[:, known] = rule.sets(prediction[:, known])
    return sets[np.arange(len(y)), y], sets.sum(axis=1)


def _told(pipeline: Any, frame: pd.DataFrame, schema: Schema) -> tuple[Array, Array, Array | None]:
    """What is true of these rows, what the model says, and how much each row counts."""
    assert schema.target is not None
    weighing = schema.named("weight")
    weight = frame[weighing].to_numpy() if weighing else None
    prediction = predict(pipeline, frame, len(schema.classes or []))
    return encode_target(frame[schema.target], schema), prediction, weight
