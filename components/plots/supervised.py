"""Which plots a supervised run gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from penstock.components.plots.classification import (
    USUAL,
    calibration_curve,
    confusion_matrix,
    precision_recall_curve,
    roc_curve,
    score_distribution,
    threshold_curve,
)
from penstock.components.plots.decision import before_and_after, prediction_intervals, threshold_choice
from penstock.components.plots.overview import candidate_figure, missing_figure, target_distribution
from penstock.components.plots.regression import predicted_vs_actual, residuals


def supervised_figures(document: Mapping[str, Any], arrays: Mapping[str, Any]) -> dict[str, Figure]:
    """Plots by name, for those parts of the run document and those arrays of the test rows that are there.

    Classification needs `y` (codes) and `proba`, regression `y` and `prediction`; `learning_y`, where given, is drawn
    beside `y` as the distribution of the outcome. Class names are `document["data"]["target"]["classes"]`.
    """
    target = (document.get("data") or {}).get("target") or {}
    name = target.get("name") or "target"
    figures: dict[str, Figure] = {}
    classes: Sequence[object] | None = None
    y = np.asarray(arrays["y"]) if "y" in arrays else np.empty(0)
    if y.size and "proba" in arrays:
        proba = np.asarray(arrays["proba"], dtype=np.float64)
        classes = target.get("classes") or list(range(proba.shape[1]))
        y = codes = y.astype(np.int64)
        figures |= _classification(document, codes, proba, classes, arrays.get("labels"))
        if "uncalibrated" in arrays:
            figures["before_and_after"] = before_and_after(codes, np.asarray(arrays["uncalibrated"]), proba)
    elif y.size and "prediction" in arrays:
        prediction = np.asarray(arrays["prediction"], dtype=np.float64)
        y = y.astype(np.float64)
        figures["predicted_vs_actual"] = predicted_vs_actual(y, prediction, name)
        figures["residuals"] = residuals(y, prediction, name)
        half_width = (_decision(document).get("coverage") or {}).get("half_width")
        if half_width is not None:
            figures["prediction_intervals"] = prediction_intervals(y, prediction, half_width, name)
    figures |= candidate_figure(document)
    if y.size:
        parts = {"test rows": y}
        if "learning_y" in arrays:
            parts = {"training rows": np.asarray(arrays["learning_y"], dtype=y.dtype), **parts}
        figures["target_distribution"] = target_distribution(parts, target=name, classes=classes)
    return figures | missing_figure(document)


def _decision(document: Mapping[str, Any]) -> Mapping[str, Any]:
    return document.get("decision") or {}


def _classification(
    document: Mapping[str, Any],
    y: np.ndarray[Any, Any],
    proba: np.ndarray[Any, Any],
    classes: Sequence[object],
    predictions: np.ndarray[Any, Any] | None,
) -> dict[str, Figure]:
    figures = {
        "confusion_matrix": confusion_matrix(y, proba.argmax(axis=1) if predictions is None else predictions, classes)
    }
    chosen = _decision(document).get("threshold")
    if chosen:
        figures["threshold_choice"] = threshold_choice(chosen)
    if len(np.unique(y)) < 2:
        return figures
    binary = len(classes) == 2
    interval = (document.get("metrics") or {}).get("roc_auc") if binary else None
    figures["roc_curve"] = roc_curve(y, proba, classes, interval=interval)
    if binary:
        p_positive = proba[:, 1]
        figures["precision_recall_curve"] = precision_recall_curve(y, p_positive, classes[1])
        threshold = chosen["value"] if chosen else USUAL
        figures["threshold_curve"] = threshold_curve(y, p_positive, classes[1], threshold)
        figures["calibration_curve"] = calibration_curve(y, p_positive, classes[1])
        figures["score_distribution"] = score_distribution(y, p_positive, classes, threshold)
    return figures
