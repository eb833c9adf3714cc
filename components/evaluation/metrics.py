"""The metrics, under scikit-learn's scorer names: greater is always better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from sklearn import metrics as sk

from penstock.errors import UsageError, did_you_mean

Array = np.ndarray[Any, Any]
Problem = Literal["classification", "regression", "clustering"]


class Function(Protocol):
    """The score of a prediction (probabilities of the classes, or values); NaN where these rows do not define it."""

    def __call__(self, y: Array, prediction: Array, weight: Array | None = None, /) -> float: ...


@dataclass(frozen=True)
class Metric:
    """`sign` x score is what `label` names for people: RMSE is shown positive, though less of it is better."""

    name: str
    label: str
    problem: Problem
    classes: Literal["two", "many", "any"]
    sign: Literal[1, -1]
    function: Function

    def fits(self, problem: Problem, n_classes: int | None) -> bool:
        if problem != self.problem:
            return False
        return self.classes == "any" or (self.classes == "two") == (n_classes == 2)


def default_metric(problem: Problem, n_classes: int | None) -> str:
    if problem == "regression":
        return "r2"
    return "roc_auc" if n_classes == 2 else "roc_auc_ovr"


def all_metrics(problem: Problem, n_classes: int | None) -> list[Metric]:
    return [metric for metric in METRICS.values() if metric.fits(problem, n_classes)]


def metric(name: str, problem: Problem, n_classes: int | None) -> Metric:
    fitting = {metric.name: metric for metric in all_metrics(problem, n_classes)}
    if name in fitting:
        return fitting[name]
    if name in METRICS:
        kind = f"a classification with {n_classes} classes" if problem == "classification" else f"a {problem}"
        what = f"the metric '{name}' does not fit {kind}"
    else:
        what = f"unknown metric '{name}'"
    shown_as = [known.name for known in fitting.values() if known.label.casefold() == name.casefold()]
    remedy = f"did you mean '{shown_as[0]}'?" if shown_as else did_you_mean(name, list(fitting))
    raise UsageError("PEN011", what, where="search.metric", remedy=remedy)


def decided(prediction: Array) -> Array:
    """The class of highest probability; of two, the positive one above 0.5."""
    codes: Array = np.argmax(prediction, axis=1)
    return codes


def present(codes: Array, weight: Array | None = None) -> Array:
    return np.unique(codes if weight is None else codes[weight > 0])


def _roc_auc(y: Array, prediction: Array, weight: Array | None = None) -> float:
    if len(present(y, weight)) < 2:
        return float("nan")
    return float(sk.roc_auc_score(y, prediction[:, 1], sample_weight=weight))


def _roc_auc_ovr(y: Array, prediction: Array, weight: Array | None = None) -> float:
    """The mean over the classes that occur in these rows; scikit-learn wants them all to occur."""
    occurring = present(y, weight)
    if len(occurring) < 2:
        return float("nan")
    return float(
        np.mean([sk.roc_auc_score(y == code, prediction[:, code], sample_weight=weight) for code in occurring])
    )


def _average_precision(y: Array, prediction: Array, weight: Array | None = None) -> float:
    if 1 not in present(y, weight):
        return float("nan")
    return float(sk.average_precision_score(y, prediction[:, 1], sample_weight=weight))


def _accuracy(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return float(sk.accuracy_score(y, decided(prediction), sample_weight=weight))


def _balanced_accuracy(y: Array, prediction: Array, weight: Array | None = None) -> float:
    """Recall averaged over the classes that occur: balanced_accuracy_score without its warning about the others."""
    labels = present(y, weight)
    return float(sk.recall_score(y, decided(prediction), labels=labels, average="macro", sample_weight=weight))


def _f1(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return float(sk.f1_score(y, decided(prediction), sample_weight=weight, zero_division=0))


def _f1_macro(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return float(sk.f1_score(y, decided(prediction), average="macro", sample_weight=weight, zero_division=0))


def _neg_log_loss(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return -float(sk.log_loss(y, prediction, labels=np.arange(prediction.shape[1]), sample_weight=weight))


def _neg_brier_score(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return -float(sk.brier_score_loss(y, prediction, labels=np.arange(prediction.shape[1]), sample_weight=weight))


def _r2(y: Array, prediction: Array, weight: Array | None = None) -> float:
    if len(present(y, weight)) < 2:
        return float("nan")
    return float(sk.r2_score(y, prediction, sample_weight=weight))


def _neg_rmse(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return -float(sk.root_mean_squared_error(y, prediction, sample_weight=weight))


def _neg_mae(y: Array, prediction: Array, weight: Array | None = None) -> float:
    return -float(sk.mean_absolute_error(y, prediction, sample_weight=weight))


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("roc_auc", "ROC AUC", "classification", "two", 1, _roc_auc),
        Metric("roc_auc_ovr", "ROC AUC, one against the rest", "classification", "many", 1, _roc_auc_ovr),
        Metric("average_precision", "average precision", "classification", "two", 1, _average_precision),
        Metric("accuracy", "accuracy", "classification", "any", 1, _accuracy),
        Metric("balanced_accuracy", "balanced accuracy", "classification", "any", 1, _balanced_accuracy),
        Metric("f1", "F1", "classification", "two", 1, _f1),
        Metric("f1_macro", "F1, mean of classes", "classification", "any", 1, _f1_macro),
        Metric("neg_log_loss", "log loss", "classification", "any", -1, _neg_log_loss),
        Metric("neg_brier_score", "Brier score", "classification", "any", -1, _neg_brier_score),
        Metric("r2", "R²", "regression", "any", 1, _r2),
        Metric("neg_root_mean_squared_error", "RMSE", "regression", "any", -1, _neg_rmse),
        Metric("neg_mean_absolute_error", "MAE", "regression", "any", -1, _neg_mae),
    )
}
