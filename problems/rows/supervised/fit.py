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
from penstock.evidence.evidence import Evidence
from penstock.problems.fits import FitInput, FitResult
from penstock.problems.rows.supervised.prediction import predict
from penstock.stage import progress

Array = np.ndarray[Any, Any]


def fit(given: FitInput) -> FitResult:
    """The fold's score, and the predictions for the rows that the fold's model did not see."""
    problem, settings, folds, matrices = given.problem, given.settings, given.folds, given.matrices
    candidate, seed = settings.candidate, settings.seed
    train, valid = folds.splits[settings.fold]
    if matrices.origin is not None:
        train = train[matrices.origin]
    drawn = _drawn(folds.y[train], settings.share, problem, seed)
    matrix, y = matrices.train[drawn], folds.y[train][drawn]
    weight = None if folds.weight is None else folds.weight[train][drawn]
    if matrices.balance and candidate.name != BASELINE:
        matrix, y, weight = balance(matrices.balance, matrix, y, weight, seed=seed)
    model = columns_for(catalog.build(candidate.name, candidate.parameters, seed=seed, problem=problem))
    model = set_feature_names(model, lambda: matrices.names, folds.words)
    model.fit(matrix, y, **({} if weight is None else {"sample_weight": weight}))
    prediction = predict(model, given.valid, folds.n_classes)
    progress(fits=1)
    evidence = Evidence(
        valid, {"prediction": prediction}, {"y": folds.y[valid]}, folds.groups_of(valid), folds.weight_of(valid)
    )
    scorer = metric(settings.metric or default_metric(folds.n_classes), folds.n_classes)
    score = scorer.function(evidence.y, prediction, evidence.weight)
    return FitResult(evidence, score if math.isfinite(score) else None)  # few rows may not define the metric


def _drawn(y: Array, share: float, problem: str, seed: int) -> slice | Array:
    """Rows to train on: all, or a share of them with the same shares of the classes."""
    if share == 1:
        return slice(None)
    classes = y if problem == "classification" else None
    least = 2 if classes is None else len(np.unique(classes))
    rows = max(least, round(share * len(y)))
    drawn = resample(np.arange(len(y)), replace=False, n_samples=rows, stratify=classes, random_state=seed)
    return np.sort(drawn)
