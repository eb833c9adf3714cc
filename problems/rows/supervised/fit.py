"""Fit one candidate on one fold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.utils import resample

from penstock.components import catalog
from penstock.components.balancing.balance import balance
from penstock.components.evaluation.metrics import default_metric, metric
from penstock.components.kernels.columns import columns_for
from penstock.components.naming import set_feature_names
from penstock.components.search.candidates import BASELINE
from penstock.evidence.folds import Folds
from penstock.problems.fits import FitRequest
from penstock.problems.rows.supervised.prediction import predict
from penstock.stage import progress
from penstock.store import Ref, Store


def fit(store: Store, problem: str, request: FitRequest) -> Ref:
    """The fold's score, and the predictions for the rows that the fold's model did not see."""
    cut = Folds.load(store, request.folds)
    y, train, valid = cut.y, cut.train(request.fold), cut.valid(request.fold)
    n_classes = cut.n_classes
    judge = metric(request.metric or default_metric(n_classes), n_classes)
    candidate, prepared, seed = request.candidate, request.prepared, request.seed
    assert prepared.valid is not None
    model = columns_for(catalog.build(candidate.name, candidate.parameters, seed=seed, problem=problem))
    model = set_feature_names(model, lambda: store.facts(prepared.names), cut.words)
    if prepared.copies:
        train = train[store.arrays(prepared.copies)["origin"]]
    taught = _part(y[train], request.share, problem, seed)
    matrix, classes = np.asarray(store.matrix(prepared.train))[taught], y[train][taught]
    weight = None if cut.weight is None else cut.weight[train][taught]
    if prepared.balance and candidate.name != BASELINE:
        matrix, classes, weight = balance(prepared.balance, matrix, classes, weight, seed=seed)
    model.fit(matrix, classes, **({} if weight is None else {"sample_weight": weight}))
    prediction = predict(model, np.asarray(store.matrix(prepared.valid)), n_classes)
    progress(fits=1)
    score = judge.function(y[valid], prediction, cut.weight_of(valid))
    facts = {
        "fold": request.fold,
        "score": score if math.isfinite(score) else None,
    }  # few rows may not define the metric
    return store.put_facts({**facts, "predictions": store.put_arrays(prediction=prediction)})


def _part(y: np.ndarray[Any, Any], share: float, problem: str, seed: int) -> slice | np.ndarray[Any, Any]:
    """Rows to be taught: all, or a share of them with the same shares of the classes."""
    if share == 1:
        return slice(None)
    classes = y if problem == "classification" else None
    fewest = 2 if classes is None else len(np.unique(classes))
    rows = max(fewest, round(share * len(y)))
    drawn = resample(np.arange(len(y)), replace=False, n_samples=rows, stratify=classes, random_state=seed)
    return np.sort(drawn)
