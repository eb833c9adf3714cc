"""Evaluate the model on the test rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.evaluation.calibration import calibration
from penstock.components.evaluation.confusion_matrix import quality
from penstock.components.evaluation.coverage import coverage
from penstock.components.evaluation.intervals import bootstrap_interval
from penstock.components.evaluation.metrics import default_metric, response_of, shown
from penstock.document.candidates import Score
from penstock.errors import DataError
from penstock.evidence.evidence import Evidence
from penstock.model import PenstockModel
from penstock.problems.rows.decision_sections import Calibration, Coverage, Quality
from penstock.problems.rows.supervised.evidence import evidence_of
from penstock.problems.training import Evaluated, EvaluateInput, Scores
from penstock.stage import progress

Array = np.ndarray[Any, Any]


def evaluate(given: EvaluateInput) -> Evaluated:
    """The usual metrics and those asked for, on unseen rows with intervals and on rows trained on.

    Metrics of predictions look at the predictions that the model gives: by its threshold or costs, if it has such.
    """
    evidence = evidence_of(given.model, given.test.frame)
    return Evaluated(evidence, _scores(given, evidence), _sections(given, evidence))


def _scores(given: EvaluateInput, evidence: Evidence) -> Scores:
    schema, labels = given.model.schema, evidence.predicted.get("labels")
    n_classes = len(schema.classes or [])
    needed = given.metrics or [default_metric(n_classes)]
    rows: dict[str, Any] = {"groups": evidence.groups, "weight": evidence.weight, "seed": given.seed}
    metrics, found = [], {}
    for metric in shown(n_classes, given.metrics):
        scored = response_of(metric, evidence.prediction, labels)
        try:
            interval = bootstrap_interval(metric, evidence.y, scored, **rows)
        except DataError:  # such as the ROC AUC of test rows of one class
            if metric.name in needed:
                raise
            continue
        found[metric.name] = Score(**interval.model_dump(), label=metric.label, sign=metric.sign, text=metric.text)
        metrics.append(metric)
        progress(metric=metric.name)
    known = evidence_of(given.model, given.training.frame)
    labels = known.predicted.get("labels")
    in_sample = {
        metric.name: metric.function(known.y, response_of(metric, known.prediction, labels), known.weight)
        for metric in metrics
    }
    return Scores(metrics=found, in_sample=in_sample)


def _sections(given: EvaluateInput, evidence: Evidence) -> dict[str, Quality | Calibration | Coverage]:
    """How good the predictions are, class by class, what the probabilities promise, what sets or intervals hold."""
    found: dict[str, Quality | Calibration | Coverage] = {}
    y, prediction, classes = evidence.y, evidence.prediction, given.model.schema.classes
    rows: dict[str, Any] = {"groups": evidence.groups, "weight": evidence.weight, "seed": given.seed}
    if classes:
        labels = evidence.predicted.get("labels", prediction.argmax(axis=1))
        found["quality"] = Quality.model_validate(quality(y, labels, classes, evidence.weight))
        promised = calibration(y, prediction, **rows)
        if "uncalibrated" in evidence.predicted:
            before = calibration(y, evidence.predicted["uncalibrated"], **rows)
            promised["before"] = {name: before[name] for name in ("error", "brier")}
        found["calibration"] = Calibration.model_validate(promised)
    if given.model.predictions.covers:
        covered, sizes = _covered(given.model, y, prediction)
        found["coverage"] = Coverage.model_validate(coverage(covered, sizes, **rows))
    return found


def _covered(model: PenstockModel, y: Array, prediction: Array) -> tuple[Array, Array]:
    """Whether each row's set or interval holds the truth, and its size."""
    rule = model.pipeline[-1]
    if prediction.ndim == 1:
        low, high = rule.intervals(prediction).T
        return (low <= y) & (y <= high), high - low
    known = model.pipeline.classes_
    sets = np.zeros(prediction.shape, dtype=bool)
    sets[:, known] = rule.sets(prediction[:, known])
    return sets[np.arange(len(y)), y], sets.sum(axis=1)
