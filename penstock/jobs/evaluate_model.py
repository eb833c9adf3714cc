"""Judge the model on the test rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.evaluation.intervals import bootstrap_interval
from penstock.components.evaluation.metrics import all_metrics
from penstock.components.schema import Schema, encode_target
from penstock.jobs import Progress
from penstock.jobs.prediction import predict
from penstock.model import load_bundle
from penstock.store import Ref, Store

Array = np.ndarray[Any, Any]

SYLLABUS = ("proc_loss_then_out_of_sample",)


def work(store: Store, progress: Progress, model: Ref, rows: Ref, learning: Ref, seed: int) -> tuple[Ref, Ref]:
    """Every metric on rows that the model never saw, with intervals; its value on rows learnt from; what plots need."""
    bundle = load_bundle(store.path(model))
    schema = bundle.schema
    frame = store.frame(rows)
    group, weighing = schema.named("group"), schema.named("weight")
    groups = pd.factorize(frame[group])[0] if group else None
    judges = all_metrics(schema.problem, len(schema.classes or []))
    y, prediction, weight = _answers(bundle.pipeline, frame, schema)
    scores = {}
    for judge in judges:
        interval = bootstrap_interval(judge, y, prediction, groups=groups, weight=weight, seed=seed)
        scores[judge.name] = {**interval.model_dump(), "label": judge.label, "sign": judge.sign}
        progress({"metric": judge.name})
    seen = _answers(bundle.pipeline, store.frame(learning), schema)
    in_sample = {judge.name: judge.function(*seen) for judge in judges}
    kept = {"y": y, "prediction": prediction} | ({"groups": groups} if groups is not None else {})
    kept |= {"weight": weight} if weight is not None else {}
    facts = {"metrics": scores, "in_sample": in_sample, "rows": len(frame), "weight": weighing}
    return store.put_facts(facts), store.put_arrays(**kept)


def _answers(pipeline: Any, frame: pd.DataFrame, schema: Schema) -> tuple[Array, Array, Array | None]:
    """What is true of these rows, what the model says, and how much each row counts."""
    assert schema.target is not None
    weighing = schema.named("weight")
    weight = frame[weighing].to_numpy() if weighing else None
    prediction = predict(pipeline, frame, len(schema.classes or []))
    return encode_target(frame[schema.target], schema), prediction, weight
