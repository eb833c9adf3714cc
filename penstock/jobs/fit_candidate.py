"""Fit one candidate on every fold."""

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
    prepared: list[Prepared],
    folds: Ref,
    metric_name: str | None,
    seed: int,
) -> Ref:
    """Each fold's score, and the predictions for the rows that the fold's model did not see."""
    arrays = store.arrays(folds)
    y = arrays["y"]
    n_classes = int(arrays["n_classes"])
    judge = metric(metric_name or default_metric(problem, n_classes), problem, n_classes)
    prediction = np.full((len(y), n_classes) if n_classes else len(y), np.nan)
    scores = []
    for fold, matrices in enumerate(prepared):
        assert matrices.valid is not None
        train, valid = arrays[f"train_{fold}"], arrays[f"valid_{fold}"]
        model = catalog.build(candidate.name, candidate.parameters, seed=seed, problem=problem)
        model.fit(np.asarray(store.matrix(matrices.train)), y[train])
        prediction[valid] = predict(model, np.asarray(store.matrix(matrices.valid)), n_classes)
        scores.append(judge.function(y[valid], prediction[valid], None))
        progress({"fits": 1})
    facts = {"folds": scores, "score": float(np.mean(scores))}
    return store.put_facts({**facts, "predictions": store.put_arrays(prediction=prediction)})
