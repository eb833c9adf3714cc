"""The metrics, under scikit-learn's scorer names where it has such: greater is always better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Protocol

import numpy as np

from penstock.components.evaluation import functions as of
from penstock.components.evaluation.functions import decided, present
from penstock.components.targets import TargetType
from penstock.errors import UsageError, did_you_mean

__all__ = [
    "METRICS",
    "Metric",
    "all_metrics",
    "check_number",
    "decided",
    "default_metric",
    "metric",
    "names_for",
    "present",
    "response_of",
    "shown",
]

Array = np.ndarray[Any, Any]


class Function(Protocol):
    """The score of a prediction (probabilities of the classes, or values); NaN where these rows do not define it."""

    def __call__(self, y: Array, prediction: Array, weight: Array | None = None, /) -> float: ...


@dataclass(frozen=True)
class Parameter:
    """The number after the colon of `f_beta:2`; `label` is what people call the metric with it."""

    name: str
    label: str
    default: float
    least: float
    most: float = float("inf")
    whole: bool = False

    def fits(self, value: float) -> bool:
        return self.least <= value <= self.most and not (self.whole and value % 1)


@dataclass(frozen=True)
class Metric:
    """`sign` x score is what `label` names for people: RMSE is shown positive, though less of it is better.

    `response`: whether the labels that a classifier predicts are scored, or its probabilities. `usual` metrics stand in
    every report, the others where they are asked for. `given` are the numbers after the colon.
    """

    name: str
    label: str
    target: TargetType
    classes: Literal["two", "many", "any"]
    sign: Literal[1, -1]
    function: Function
    response: Literal["labels", "scores"] = "scores"
    usual: bool = False
    takes: Parameter | None = None
    given: tuple[float, ...] = ()

    @property
    def family(self) -> str:
        return self.name.partition(":")[0]

    @property
    def text(self) -> str:
        """What leads back to this metric."""
        return ":".join(filter(None, [self.family, ",".join(f"{number:.12g}" for number in self.given)]))

    def fits(self, n_classes: int) -> bool:
        """Whether it is for a target of so many classes; a quantity has none."""
        if (self.target == "quantity") != (n_classes == 0):
            return False
        return self.classes == "any" or (self.classes == "two") == (n_classes == 2)


def default_metric(n_classes: int) -> str:
    """The first that fits."""
    return all_metrics(n_classes)[0].name


def all_metrics(n_classes: int) -> list[Metric]:
    return [metric for metric in METRICS.values() if metric.fits(n_classes)]


def names_for(target: TargetType | None, *, thresholded: bool = False) -> list[str]:
    """The metrics of classes, or of quantities. `thresholded`: those that change with the threshold of two classes."""
    fitting = [known for known in METRICS.values() if known.target == target]
    if thresholded:
        fitting = [known for known in fitting if known.response == "labels" and known.classes != "many"]
    return [known.name for known in fitting]


def shown(n_classes: int, asked: Sequence[str] = ()) -> list[Metric]:
    """The metrics that were asked for, and the usual ones."""
    usual = [known for known in all_metrics(n_classes) if known.usual]
    chosen = [*(metric(name, n_classes) for name in asked), *usual]
    return list({one.name: one for one in chosen}.values())


def metric(name: str, n_classes: int) -> Metric:
    """The metric that a pipeline file or another stage names: `roc_auc`, `f_beta:2`, `neg_cost:0,1,5,0`."""
    family, _, numbers = name.partition(":")
    fitting = {metric.name: metric for metric in all_metrics(n_classes)}
    if family in fitting:
        return _with(fitting[family], numbers) if numbers else fitting[family]
    if family in METRICS:
        what = f"the metric '{family}' does not fit {f'{n_classes} classes' if n_classes else 'a quantity'}"
    else:
        what = f"unknown metric '{family}'"
    shown_as = [known.name for known in fitting.values() if known.label.casefold() == name.casefold()]
    remedy = f"did you mean '{shown_as[0]}'?" if shown_as else did_you_mean(family, list(fitting))
    raise UsageError("PEN011", what, where="search.metric", remedy=remedy)


def response_of(metric: Metric, prediction: Array, labels: Array | None) -> Array:
    """What the metric is to evaluate: the probabilities, or the predictions of a model that decides by a rule of its
    own.
    """
    if labels is None or metric.response == "scores":
        return prediction
    sure: Array = np.eye(prediction.shape[1])[labels]
    return sure


def check_number(metric: Metric, number: str, *, where: str = "search.metric") -> float:
    """The number after the colon, if the metric takes such a one."""
    taken = metric.takes
    if taken is None:
        raise UsageError(
            "PEN031",
            f"the metric '{metric.family}' takes no number",
            where=where,
            remedy=f"write '{metric.family}' alone",
        )
    try:
        value = float(number)
    except ValueError:
        value = float("nan")
    if not taken.fits(value):
        kind = "a whole number" if taken.whole else "a number"
        raise UsageError(
            "PEN031",
            f"'{number}' is no {taken.name} for the metric '{metric.family}'",
            where=where,
            remedy=f"write {kind} from {taken.least:g} to {taken.most:g}, such as '{metric.family}:{taken.default:g}'",
        )
    return value


def _with(metric: Metric, numbers: str) -> Metric:
    if metric.family == "neg_cost":
        costs = tuple(float(number) for number in numbers.split(","))
        return replace(metric, function=partial(of.neg_cost, costs=costs), given=costs)
    value = check_number(metric, numbers)
    assert metric.takes is not None
    return replace(
        metric,
        name=f"{metric.family}:{value:g}",
        label=metric.takes.label.format(value),
        function=partial(getattr(of, metric.family), **{metric.takes.name: value}),
        given=(value,),
    )


def _probabilities(name: str, label: str, classes: Literal["two", "many", "any"], **more: Any) -> Metric:
    return Metric(name, label, "classes", classes, _sign(name), getattr(of, name), **more)


def _answers(name: str, label: str, classes: Literal["two", "many", "any"], **more: Any) -> Metric:
    return _probabilities(name, label, classes, response="labels", **more)


def _averages(name: str, label: str) -> list[Metric]:
    """Of the positive class of two; and over all classes in three ways."""
    kinds = {"macro": "mean of classes", "micro": "all rows together", "weighted": "mean of classes by their rows"}
    return [
        _answers(name, label, "two", usual=name == "f1"),
        *(
            Metric(
                f"{name}_{kind}",
                f"{label}, {words}",
                "classes",
                "any",
                1,
                partial(getattr(of, name), average=kind),
                response="labels",
                usual=(name, kind) == ("f1", "macro"),
            )
            for kind, words in kinds.items()
        ),
    ]


def _values(name: str, label: str, **more: Any) -> Metric:
    return Metric(name, label, "quantity", "any", _sign(name), getattr(of, name), **more)


def _sign(name: str) -> Literal[1, -1]:
    return -1 if name.startswith("neg_") else 1


def _default(metric: Metric) -> Metric:
    """With the number that stands where none is given; its name stays short."""
    if metric.takes is None:
        return metric
    return replace(_with(metric, f"{metric.takes.default:g}"), name=metric.name)


METRICS: dict[str, Metric] = {
    metric.name: _default(metric)
    for metric in (
        _probabilities("roc_auc", "ROC AUC", "two", usual=True),
        _probabilities("roc_auc_ovr", "ROC AUC, one against the rest", "many", usual=True),
        _probabilities("roc_auc_ovo", "ROC AUC, one against one", "many"),
        _probabilities("average_precision", "average precision", "two", usual=True),
        _answers("accuracy", "accuracy", "any", usual=True),
        _answers("balanced_accuracy", "balanced accuracy", "any", usual=True),
        *_averages("f1", "F1"),
        _answers("f_beta", "F-beta", "two", takes=Parameter("beta", "F{:g}", 2, 0.01, 100)),
        *_averages("precision", "precision"),
        *_averages("recall", "recall"),
        _answers("specificity", "specificity", "two"),
        *_averages("jaccard", "Jaccard index"),
        _answers("matthews_corrcoef", "Matthews correlation", "any"),
        _answers("cohen_kappa", "Cohen's kappa", "any"),
        _answers("neg_cost", "mean cost", "any"),
        _probabilities(
            "top_k_accuracy", "top-k accuracy", "many", takes=Parameter("k", "top-{:g} accuracy", 2, 1, whole=True)
        ),
        _probabilities("neg_log_loss", "log loss", "any", usual=True),
        _probabilities("neg_brier_score", "Brier score", "any", usual=True),
        _probabilities("neg_hinge_loss", "hinge loss of the log-odds", "two"),
        _probabilities("d2_log_loss_score", "D² of log loss", "any"),
        _probabilities("d2_brier_score", "D² of Brier score", "any"),
        _values("r2", "R²", usual=True),
        _values("explained_variance", "explained variance"),
        _values("d2_absolute_error_score", "D² of absolute error"),
        _values("neg_root_mean_squared_error", "RMSE", usual=True),
        _values("neg_mean_absolute_error", "MAE", usual=True),
        _values("neg_mean_squared_error", "MSE"),
        _values("neg_median_absolute_error", "median absolute error"),
        _values("neg_mean_absolute_percentage_error", "MAPE"),
        _values("neg_max_error", "largest error"),
        _values(
            "neg_mean_pinball_loss", "pinball loss", takes=Parameter("alpha", "pinball loss at {:g}", 0.5, 0.001, 0.999)
        ),
        _values(
            "neg_epsilon_insensitive_loss",
            "epsilon-insensitive loss",
            takes=Parameter("epsilon", "error beyond {:g}", 0.1, 0),
        ),
    )
}
