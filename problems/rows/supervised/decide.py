"""Find how the winner decides: from its predictions for learning rows that its fits had not seen."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from penstock.components.decision.calibrator import ProbabilityCalibrator, cross_fitted
from penstock.components.decision.classifier import DecidingClassifier
from penstock.components.decision.conformal import half_width_of_intervals, nonconformity_quantile
from penstock.components.decision.regressor import IntervalRegressor
from penstock.components.decision.threshold import USUAL, threshold_curve
from penstock.components.evaluation.calibration import calibration
from penstock.components.evaluation.functions import neg_brier_score, neg_log_loss
from penstock.components.evaluation.metrics import Metric, metric
from penstock.evidence.evidence import Evidence
from penstock.evidence.folds import Folds
from penstock.problems.training import Decided
from penstock.spec.decision import Decision, Tuned
from penstock.stage import progress, stage
from penstock.store import Ref, Store

Array = np.ndarray[Any, Any]
# Of scores that no threshold changes, such as the area under the ROC curve.
TUNED_BY_DEFAULT = "balanced_accuracy"


@stage(worker=True, libraries=("mapie",))
def decide(
    store: Store,
    unseen: Ref,
    folds: Ref,
    costs: list[list[float]] | None,
    decision: Decision,
    metric_name: str | None,
    seed: int,
) -> Decided:
    """Calibrator, threshold and reach of sets, from predictions for rows that the winner's fits had not seen.

    The rule is an estimator that waits for its model.
    """
    tuned_for = decision.threshold.tune if isinstance(decision.threshold, Tuned) else None
    threshold = "tune" if isinstance(decision.threshold, Tuned) else decision.threshold
    calibrate, coverage = decision.calibrate, decision.coverage
    ties = "second" if decision.ties == "positive" else "first"
    training, seen = Folds.load(store, folds), Evidence.load(store, unseen)
    rows, prediction, y, groups, weight = seen.units, seen.prediction, seen.y, seen.groups, seen.weight
    if prediction.ndim == 1:
        assert coverage is not None
        half_width = half_width_of_intervals(y, prediction, coverage, weight)
        facts: dict[str, Any] = {"coverage": {"asked": coverage, "half_width": half_width, "rows": len(rows)}}
        rule_of_intervals = store.put_estimator(IntervalRegressor(None, half_width=half_width))
        return Decided(rule=rule_of_intervals, facts=store.put_facts(facts))

    known = np.unique(training.y)  # a class without a learning row is not known to the model that ships
    y, probabilities = np.searchsorted(known, y), prediction[:, known]
    facts, rule = {}, DecidingClassifier(None, ties=ties)
    if ties == "second" and threshold is None and costs is None:
        threshold = USUAL
    if calibrate != "none":
        rule.calibrator = ProbabilityCalibrator(calibrate).fit(probabilities, y, weight)
        before, probabilities = probabilities, cross_fitted(calibrate, probabilities, y, groups, weight, seed)
        given = {"groups": groups, "weight": weight, "seed": seed}
        facts["calibration"] = {
            "method": calibrate,
            "before": _promises(y, before, **given),
            "after": _promises(y, probabilities, **given),
        }
        progress(calibrated=calibrate)
    if costs is not None:
        rule.costs = np.array(costs)[np.ix_(known, known)].tolist()
        facts["costs"] = costs
    if len(known) == 2 and (threshold is not None or costs is not None):
        judge = _judge(tuned_for, metric_name, rule.costs)
        curve = threshold_curve(judge, y, probabilities[:, 1], weight)
        rule.threshold, why = _threshold(threshold, curve.best, rule.costs)
        facts["threshold"] = {
            "value": rule.threshold,
            "why": why,
            "metric": judge.name,
            "label": judge.label,
            "sign": judge.sign,
            "rows": len(y),
            **curve.model_dump(),
        }
    if coverage is not None:
        rule.nonconformity = nonconformity_quantile(y, probabilities, coverage, weight)
        facts["coverage"] = {"asked": coverage, "nonconformity": rule.nonconformity, "rows": len(rows)}
    return Decided(rule=store.put_estimator(rule), facts=store.put_facts(facts))


def _judge(tuned_for: str | None, metric_name: str | None, costs: list[list[float]] | None) -> Metric:
    """What was asked for, else the costs, else the metric that decides if it looks at answers."""
    if tuned_for not in (None, "neg_cost"):
        return metric(tuned_for, 2)
    if costs is not None:
        return metric(f"neg_cost:{','.join(f'{cost:.12g}' for row in costs for cost in row)}", 2)
    decides = metric(metric_name, 2) if metric_name else None
    return decides if decides and decides.response == "labels" else metric(TUNED_BY_DEFAULT, 2)


def _threshold(
    asked: Literal["tune"] | float | None, best: float, costs: list[list[float]] | None
) -> tuple[float, Literal["tuned", "given", "costs"]]:
    if asked == "tune":
        return best, "tuned"
    if asked is not None:
        return asked, "given"
    assert costs is not None
    return costs[0][1] / (costs[0][1] + costs[1][0]), "costs"


def _promises(y: Array, probabilities: Array, **given: Any) -> dict[str, Any]:
    weight = given["weight"]
    return {
        "error": calibration(y, probabilities, **given)["error"],
        "brier": -neg_brier_score(y, probabilities, weight),
        "log_loss": -neg_log_loss(y, probabilities, weight),
    }
