"""How predictions are evaluated and decided by, and what is looked at beside the scores."""

from __future__ import annotations

from penstock.components.decision.costs import KINDS, WHERE, no_error, one_sided
from penstock.components.dimensionality_reduction.pictures import require_pictures
from penstock.components.evaluation.metrics import METRICS, check_number, names_for
from penstock.components.explanation.shapley import require_shap
from penstock.errors import UsageError, did_you_mean
from penstock.problems import find
from penstock.spec.decision import Tuned
from penstock.spec.pipeline import Spec


def check_metrics(spec: Spec, path: str) -> None:
    if spec.search.metric:
        _check_metric(spec, spec.search.metric, f"{path}: search.metric")
    for position, name in enumerate(spec.evaluation.metrics):
        _check_metric(spec, name, f"{path}: evaluation.metrics.{position}")
    if isinstance(spec.decision.threshold, Tuned):
        _check_metric(spec, spec.decision.threshold.tune, f"{path}: decision.threshold.tune", of_answers=True)


def _check_metric(spec: Spec, metric: str, where: str, *, of_answers: bool = False) -> None:
    fitting = names_for(find(spec.problem).target_type, thresholded=of_answers)
    family, _, number = metric.partition(":")
    if family not in fitting:
        unfit = "does not change with the threshold" if of_answers else f"does not fit a {spec.problem}"
        raise UsageError(
            "PEN011",
            f"the metric '{family}' {unfit}" if family in METRICS else f"unknown metric '{family}'",
            where=where,
            remedy=did_you_mean(family, fitting) if fitting else "leave it out",
        )
    if family == "neg_cost" and spec.decision.costs is None:
        raise UsageError(
            "PEN036",
            "the metric 'neg_cost' is the mean cost of errors, and no costs are given",
            where=where,
            remedy="say what errors cost: `decision: {costs: {false_positive: 1, false_negative: 5}}`",
        )
    if ":" in metric:
        check_number(METRICS[family], number, where=where)


def check_costs(spec: Spec, path: str) -> None:
    """What needs no classes to be seen: an error has two sides, and they differ."""
    for key, cost in (spec.decision.costs or {}).items():
        if not isinstance(cost, dict):
            if key not in KINDS:
                raise one_sided(key, cost, ("CLASS", "ANSWER"), f"{path}: {WHERE}")
        elif key in cost:
            raise no_error(key, f"{path}: {WHERE}")


def check_evaluation(spec: Spec, path: str) -> None:
    """What is looked at beside the scores is known, and installed."""
    require_pictures(spec.evaluation.pictures, f"{path}: evaluation.pictures")
    if spec.evaluation.shap:
        require_shap()
