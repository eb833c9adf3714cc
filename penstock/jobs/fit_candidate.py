"""Fit one candidate on one fold."""

from __future__ import annotations

import numpy as np

from penstock.components import catalog
from penstock.components.catalog import Problem
from penstock.components.evaluation.metrics import default_metric, metric
from penstock.components.search import Candidate
from penstock.jobs import Prepared, Progress
from penstock.jobs.prediction import predict
from penstock.store import Ref, Store


def work(
    store: Store,
    progress: Progress,
    candidate: Candidate,
    problem: Problem,
    prepared: Prepared,
    folds: Ref,
    fold: int,
    metric_name: str | None,
    seed: int,
) -> Ref:
    """The fold's score, and the predictions for the rows that the fold's model did not see."""
    arrays = store.arrays(folds)
    y, train, valid = arrays["y"], arrays[f"train_{fold}"], arrays[f"valid_{fold}"]
    weights = arrays.get("weight")
    n_classes = int(arrays["n_classes"])
    judge = metric(metric_name or default_metric(problem, n_classes), problem, n_classes)
    assert prepared.valid is not None
    model = catalog.build(candidate.name, candidate.parameters, seed=seed, problem=problem)
    weighing = {} if weights is None else {"sample_weight": weights[train]}
    model.fit(np.asarray(store.matrix(prepared.train)), y[train], **weighing)
    prediction = predict(model, np.asarray(store.matrix(prepared.valid)), n_classes)
    progress({"fits": 1})
    facts = {"fold": fold, "score": judge.function(y[valid], prediction, None if weights is None else weights[valid])}
    return store.put_facts({**facts, "predictions": store.put_arrays(prediction=prediction)})
