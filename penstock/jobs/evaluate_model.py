"""Judge the model on the test rows."""

from __future__ import annotations

import pandas as pd

from penstock.components.evaluation.intervals import bootstrap_interval
from penstock.components.evaluation.metrics import all_metrics
from penstock.components.schema import encode_target
from penstock.jobs import Progress
from penstock.jobs.prediction import predict
from penstock.model import load_bundle
from penstock.store import Ref, Store


def work(store: Store, progress: Progress, model: Ref, rows: Ref, seed: int) -> tuple[Ref, Ref]:
    """Every metric of the problem on rows that the model never saw, with intervals; and what the plots need."""
    bundle = load_bundle(store.path(model))
    schema = bundle.schema
    frame = store.frame(rows)
    assert schema.target is not None
    y = encode_target(frame[schema.target], schema)
    group, weighing = schema.named("group"), schema.named("weight")
    groups = pd.factorize(frame[group])[0] if group else None
    weight = frame[weighing].to_numpy() if weighing else None
    n_classes = len(schema.classes or [])
    prediction = predict(bundle.pipeline, frame, n_classes)
    scores = {}
    for judge in all_metrics(schema.problem, n_classes):
        interval = bootstrap_interval(judge, y, prediction, groups=groups, weight=weight, seed=seed)
        scores[judge.name] = {**interval.model_dump(), "label": judge.label, "sign": judge.sign}
        progress({"metric": judge.name})
    kept = {"y": y, "prediction": prediction} | ({"groups": groups} if groups is not None else {})
    return store.put_facts({"metrics": scores, "rows": len(frame), "weight": weighing}), store.put_arrays(**kept)
