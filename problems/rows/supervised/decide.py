"""Find how the winner decides: from its predictions for training rows that its fits had not seen."""

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
from penstock.problems.rows import decision_sections as sections
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
    """Calibrator, threshold and width of sets, from predictions for rows that the winner's fits had not seen.

    The rule is an estimator that waits for its model.
    """
    seen = Evidence.load(store, unseen)
    if seen.prediction.ndim == 1:
        rule, found = _intervals(seen, decision)
    else:
        known = np.unique(Folds.load(store, folds).y)  # a class without a training row is not known to the model
        rule, found = _classes(seen, known, costs, decision, metric_name, seed)
    return Decided(rule=store.put_estimator(rule), facts=store.put_facts(found))


def _intervals(seen: Evidence, decision: Decision) -> tuple[IntervalRegressor, sections.Decision]:
    assert decision.coverage is not None
    half_width = half_width_of_intervals(seen.y, seen.prediction, decision.coverage, seen.weight)
    covered = sections.CoverageAsked(asked=decision.coverage, half_width=half_width, rows=len(seen))
    return IntervalRegressor(None, half_width=half_width), sections.Decision(coverage=covered)


def _classes(
    seen: Evidence,
    known: Array,
    costs: list[list[float]] | None,
    decision: Decision,
    metric_name: str | None,
    seed: int,
) -> tuple[DecidingClassifier, sections.Decision]:
    y, probabilities, weight = np.searchsorted(known, seen.y), seen.prediction[:, known], seen.weight
    rule = DecidingClassifier(None, ties="second" if decision.ties == "positive" else "first")
    calibrated = threshold = coverage = None
    if decision.calibrate != "none":
        rule.calibrator = ProbabilityCalibrator(decision.calibrate).fit(probabilities, y, weight)
        rows: dict[str, Any] = {"groups": seen.groups, "weight": weight, "seed": seed}
        before, probabilities = probabilities, cross_fitted(decision.calibrate, probabilities, y, **rows)
        calibrated = sections.Calibrated(
            method=decision.calibrate, before=_promise(y, before, **rows), after=_promise(y, probabilities, **rows)
        )
        progress(calibrated=decision.calibrate)
    if costs is not None:
        rule.costs = np.array(costs)[np.ix_(known, known)].tolist()
    asked = "tune" if isinstance(decision.threshold, Tuned) else decision.threshold
    if asked is None and costs is None and decision.ties == "positive":
        asked = USUAL
    if len(known) == 2 and (asked is not None or costs is not None):
        scorer = _metric(decision, metric_name, rule.costs)
        curve = threshold_curve(scorer, y, probabilities[:, 1], weight)
        rule.threshold, why = _threshold(asked, curve.best, rule.costs)
        threshold = sections.Threshold(
            value=rule.threshold,
            why=why,
            metric=scorer.name,
            label=scorer.label,
            sign=scorer.sign,
            rows=len(y),
            **curve.model_dump(),
        )
    if decision.coverage is not None:
        rule.nonconformity = nonconformity_quantile(y, probabilities, decision.coverage, weight)
        coverage = sections.CoverageAsked(asked=decision.coverage, nonconformity=rule.nonconformity, rows=len(seen))
    return rule, sections.Decision(calibration=calibrated, costs=costs, threshold=threshold, coverage=coverage)


def _metric(decision: Decision, metric_name: str | None, costs: list[list[float]] | None) -> Metric:
    """What was asked for, else the costs, else the metric that decides if it looks at predictions."""
    tuned_for = decision.threshold.tune if isinstance(decision.threshold, Tuned) else None
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


def _promise(y: Array, probabilities: Array, **rows: Any) -> sections.Promise:
    return sections.Promise(
        error=calibration(y, probabilities, **rows)["error"],
        brier=-neg_brier_score(y, probabilities, rows["weight"]),
        log_loss=-neg_log_loss(y, probabilities, rows["weight"]),
    )
