"""Track: what MLflow is told of a run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from penstock.context import Results, Run
from penstock.document.candidates import Tried
from penstock.document.leakage import Certificate
from penstock.document.run import RunDocument
from penstock.document.verdict import Verdict
from penstock.problems.rows.explained_sections import Deciding, History
from penstock.problems.words import Tracked, with_interval, words_of
from penstock.spec.pipeline import Spec
from penstock.tasks import parameters
from penstock.tasks.register import tracking_of
from penstock.tasks.split import rows_of
from penstock.tracking import Tracking


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


def _metrics(document: RunDocument) -> dict[str, Tracked]:
    selection = document.selection
    chosen: dict[str, Tracked] = {}
    if selection.corrected:
        chosen = {"selection_corrected": with_interval(selection.corrected), "selection_naive": selection.naive}
    if selection.nested:
        chosen["selection_nested"] = with_interval(selection.nested)
    return {
        **{name: with_interval(score) for name, score in document.metrics.items()},
        **{f"in_sample_{name}": value for name, value in document.in_sample.items()},
        **chosen,
        **words_of(document.problem).tracked(document),
        **_of_gate(document.verdict),
    }


def _by_epoch(history: History) -> dict[str, list[float]]:
    layers = zip(*history.gradient_norms, strict=True)
    norms = {f"gradient_norm.layer_{number}": list(values) for number, values in enumerate(layers, 1)}
    return {**history.series, **norms, "best_epoch": [history.best_epoch]}


def _track_certificate(tracking: Tracking, mlflow_run: str, certificate: Certificate) -> None:
    named = ", ".join(certificate.found) or "clean"
    tracking.log(mlflow_run, metrics={"leakage_findings": len(certificate.found)}, tags={"penstock.leakage": named})
    tracking.log_text(mlflow_run, json.dumps(certificate.model_dump(mode="json"), indent=1), "leakage.json")


def _of_gate(verdict: Verdict) -> dict[str, Tracked]:
    """The difference to the champion, and what each safeguard measured."""
    compared: dict[str, Tracked] = {}
    if verdict.difference:
        compared = {"gate_difference": with_interval(verdict.difference), "gate_rows": verdict.rows}
    for check in verdict.checks:
        if check.value is not None:
            compared[f"gate_{check.name}"] = with_interval(check) if check.low is not None else check.value
    return compared


def _child(candidate: Tried, problem: str, metric: str) -> dict[str, Any]:
    mean: dict[str, Tracked] = {metric: candidate.score} if candidate.score is not None else {}
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
