"""Fit one candidate on one fold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.utils import resample

from penstock.components import catalog
from penstock.components.balancing.balance import balance
from penstock.components.catalog import Problem
from penstock.components.evaluation.metrics import default_metric, metric
from penstock.components.kernels.columns import columns_for
from penstock.components.naming import told_names
from penstock.components.search.candidates import BASELINE, Candidate
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
    share: float,
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
    model = columns_for(catalog.build(candidate.name, candidate.parameters, seed=seed, problem=problem))
    model = told_names(model, lambda: store.facts(prepared.names), arrays)
    if prepared.copies:
        train = train[store.arrays(prepared.copies)["origin"]]
    taught = _part(y[train], share, problem, seed)
    matrix, classes = np.asarray(store.matrix(prepared.train))[taught], y[train][taught]
    weight = None if weights is None else weights[train][taught]
    if prepared.balance and candidate.name != BASELINE:
        matrix, classes, weight = balance(prepared.balance, matrix, classes, weight, seed=seed)
    model.fit(matrix, classes, **({} if weight is None else {"sample_weight": weight}))
    prediction = predict(model, np.asarray(store.matrix(prepared.valid)), n_classes)
    progress({"fits": 1})
    score = judge.function(y[valid], prediction, None if weights is None else weights[valid])
    facts = {"fold": fold, "score": score if math.isfinite(score) else None}  # few rows may not define the metric
    return store.put_facts({**facts, "predictions": store.put_arrays(prediction=prediction)})


def _part(y: np.ndarray[Any, Any], share: float, problem: Problem, seed: int) -> slice | np.ndarray[Any, Any]:
    """Rows to be taught: all, or a share of them with the same shares of the classes."""
    if share == 1:
        return slice(None)
    classes = y if problem == "classification" else None
    fewest = 2 if classes is None else len(np.unique(classes))
    rows = max(fewest, round(share * len(y)))
    drawn = resample(np.arange(len(y)), replace=False, n_samples=rows, stratify=classes, random_state=seed)
    return np.sort(drawn)
