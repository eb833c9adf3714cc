"""What goes to MLflow of predictions for rows, beside the scores."""

from __future__ import annotations

from penstock.document.run import RunDocument
from penstock.problems.rows.decision_sections import Calibration, Coverage, Decision
from penstock.problems.rows.explained_sections import BiasVariance, Curves, Explanation
from penstock.problems.words import Tracked, with_interval


def of_decision(document: RunDocument) -> dict[str, Tracked]:
    """Threshold, calibration error, coverage."""
    decision, calibration = document.section(Decision), document.section(Calibration)
    covered = document.section(Coverage)
    return {
        "threshold": decision.threshold.value if decision and decision.threshold else None,
        **({"calibration_error": with_interval(calibration.error)} if calibration else {}),
        **({"coverage": with_interval(covered.share), "coverage_size": covered.size} if covered else {}),
    }


def of_explanation(document: RunDocument) -> dict[str, Tracked]:
    """What was found beside the scores."""
    metrics: dict[str, Tracked] = {}
    if found := document.section(Explanation):
        metrics |= {f"importance.{one.column}": with_interval(one) for one in found.importance}
        for one in found.slices:
            if one.value is not None:
                metrics[f"slice.{one.column}.{one.slice}.{found.metric}"] = with_interval(one)
        for column, facts in found.fairness.items():
            metrics[f"fairness.{column}.demographic_parity"] = with_interval(facts.demographic_parity)
            metrics[f"fairness.{column}.equalised_odds"] = with_interval(facts.equalised_odds)
        for share in found.shap.columns if found.shap else []:
            metrics[f"shap.{share.column}"] = with_interval(share)
    if curves := document.section(Curves):
        metrics |= {f"learning_curve.{point.rows:g}": point.valid for point in curves.learning_curve.points}
        if curves.validation_curve:
            metrics |= {f"validation_curve.{point.value:g}": point.valid for point in curves.validation_curve.points}
    if parted := document.section(BiasVariance):
        metrics |= {f"bias_variance.{part}": value for part, value in parted.squared.model_dump().items()}
    return metrics
