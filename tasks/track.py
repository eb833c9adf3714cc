"""Track: what MLflow is told of a run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from penstock.context import Results, Run
from penstock.document.candidates import Tried
from penstock.document.facts import Interval
from penstock.document.leakage import Certificate
from penstock.document.run import RunDocument
from penstock.document.verdict import GateCheck, Verdict
from penstock.problems.clustering.sections import Structure, Truth
from penstock.problems.rows.decision_sections import Calibration, Coverage, Decision
from penstock.problems.rows.explained_sections import BiasVariance, Curves, Deciding, Explanation, History
from penstock.spec.pipeline import Spec
from penstock.tasks import parameters
from penstock.tasks.register import tracking_of
from penstock.tasks.split import rows_of
from penstock.tracking import Tracking

Metric = float | Mapping[str, float | None] | None


def track(run: Run, spec: Spec, results: Results, document: RunDocument, figures: Mapping[str, str]) -> None:
    """A run that only repeats an earlier one logs little."""
    tracking, rows = tracking_of(run), rows_of(results)
    winner, verdict, origin = document.winner, document.verdict, document.run.cached_from
    failed = [check.name for check in verdict.checks if check.state == "failed"]
    tags = {
        "penstock.verdict": verdict.verdict,
        "penstock.version": verdict.version,
        "penstock.verdict_reason": verdict.reason,
        "penstock.gate_failed": "; ".join(failed) or None,
        "penstock.winner": winner.name,
        "penstock.data_digest": rows.digest,
        "penstock.reproducible": str(document.run.reproducible).lower(),
        "penstock.cached_from": origin,
    }
    tracking.log(run.mlflow_run, metrics=_metrics(document), tags=tags)
    if document.certificate:
        _track_certificate(tracking, run.mlflow_run, document.certificate)
    tracking.log_file(run.mlflow_run, run.folder / "report.html")
    if origin:
        return
    tracking.log(run.mlflow_run, params={**parameters.of_pipeline(spec), **parameters.of_winner(winner, spec.problem)})
    deciding = document.section(Deciding)
    if deciding and deciding.history:
        tracking.log_series(run.mlflow_run, _by_epoch(deciding.history))
    tracking.log_text(run.mlflow_run, document.run.spec_yaml, "pipeline.yaml")
    features = document.features.model_dump(mode="json", exclude_unset=True)
    if any(features.values()):
        tracking.log_text(run.mlflow_run, json.dumps(features, indent=1), "features.json")
    tracking.log_dataset(
        run.mlflow_run,
        name=spec.name,
        digest=rows.digest,
        source=spec.data.source,
        schema=run.store.facts(rows.schema_),
        rows=document.data.rows,
    )
    for name, figure in figures.items():
        tracking.log_text(run.mlflow_run, figure, f"figures/{name}.svg")
    tracking.log_candidates(run.mlflow_run, [_child(one, spec.problem, document.metric) for one in document.candidates])


def _metrics(document: RunDocument) -> dict[str, Metric]:
    selection = document.selection
    chosen: dict[str, Metric] = {}
    if selection.corrected:
        chosen = {"selection_corrected": _interval(selection.corrected), "selection_naive": selection.naive}
    if selection.nested:
        chosen["selection_nested"] = _interval(selection.nested)
    return {
        **{name: _interval(score) for name, score in document.metrics.items()},
        **{f"in_sample_{name}": value for name, value in document.in_sample.items()},
        **chosen,
        **_of_decision(document),
        **_of_explanation(document),
        **_of_gate(document.verdict),
    }


def _by_epoch(history: History) -> dict[str, list[float]]:
    layers = zip(*history.gradient_norms, strict=True)
    norms = {f"gradient_norm.layer_{number}": list(values) for number, values in enumerate(layers, 1)}
    return {**history.series, **norms, "best_epoch": [history.best_epoch]}


def _of_decision(document: RunDocument) -> dict[str, Metric]:
    """Threshold, calibration error, coverage."""
    decision, calibration = document.section(Decision), document.section(Calibration)
    covered = document.section(Coverage)
    return {
        "threshold": decision.threshold.value if decision and decision.threshold else None,
        **({"calibration_error": _interval(calibration.error)} if calibration else {}),
        **({"coverage": _interval(covered.share), "coverage_size": covered.size} if covered else {}),
    }


def _track_certificate(tracking: Tracking, mlflow_run: str, certificate: Certificate) -> None:
    named = ", ".join(certificate.found) or "clean"
    tracking.log(mlflow_run, metrics={"leakage_findings": len(certificate.found)}, tags={"penstock.leakage": named})
    tracking.log_text(mlflow_run, json.dumps(certificate.model_dump(mode="json"), indent=1), "leakage.json")


def _of_explanation(document: RunDocument) -> dict[str, Metric]:
    """What was found beside the scores."""
    metrics: dict[str, Metric] = {}
    if found := document.section(Explanation):
        metrics |= {f"importance.{one.column}": _interval(one) for one in found.importance}
        for one in found.slices:
            if one.value is not None:
                metrics[f"slice.{one.column}.{one.slice}.{found.metric}"] = _interval(one)
        for column, facts in found.fairness.items():
            metrics[f"fairness.{column}.demographic_parity"] = _interval(facts.demographic_parity)
            metrics[f"fairness.{column}.equalised_odds"] = _interval(facts.equalised_odds)
        for share in found.shap.columns if found.shap else []:
            metrics[f"shap.{share.column}"] = _interval(share)
    if curves := document.section(Curves):
        metrics |= {f"learning_curve.{point.rows:g}": point.valid for point in curves.learning_curve.points}
        if curves.validation_curve:
            metrics |= {f"validation_curve.{point.value:g}": point.valid for point in curves.validation_curve.points}
    if structure := document.section(Structure):
        metrics["structure_p_value"] = structure.pvalue
    if (truth := document.section(Truth)) and truth.agreement:
        metrics["truth_adjusted_rand"] = _interval(truth.agreement)
    if parted := document.section(BiasVariance):
        metrics |= {f"bias_variance.{part}": value for part, value in parted.squared.model_dump().items()}
    return metrics


def _interval(facts: Interval | GateCheck) -> Mapping[str, float | None]:
    return {"value": facts.value, "low": facts.low, "high": facts.high}


def _of_gate(verdict: Verdict) -> dict[str, Metric]:
    """The difference to the champion, and what each safeguard measured."""
    compared: dict[str, Metric] = {}
    if verdict.difference:
        compared = {"gate_difference": _interval(verdict.difference), "gate_rows": verdict.rows}
    for check in verdict.checks:
        if check.value is not None:
            compared[f"gate_{check.name}"] = _interval(check) if check.low is not None else check.value
    return compared


def _child(candidate: Tried, problem: str, metric: str) -> dict[str, Any]:
    mean: dict[str, Metric] = {metric: candidate.score} if candidate.score is not None else {}
    if candidate.low is not None:
        mean = {metric: {"value": candidate.score, "low": candidate.low, "high": candidate.high}}
    return {
        "key": candidate.label,
        "name": candidate.label,
        "parameters": {"method": candidate.name, **parameters.of_candidate(candidate, problem)},
        "metrics": mean,
        "folds": {metric: candidate.folds} if candidate.folds else {},
        "status": candidate.status,
        "seconds": candidate.seconds,
        "reason": candidate.reason,
    }
