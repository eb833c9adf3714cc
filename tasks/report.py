"""Report: what the run found, as one page for people, one document for programs, and in MLflow."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from prefect.context import FlowRunContext

from penstock.components.schema import Schema
from penstock.context import Run
from penstock.jobs import Selection
from penstock.reporting.formats import address
from penstock.reporting.render import render
from penstock.runs import document_of, keep_document
from penstock.spec.pipeline import Spec
from penstock.store import Ref, write_atomically
from penstock.tasks import parameters
from penstock.tasks.announce import announce
from penstock.tasks.decide import Decided
from penstock.tasks.document import build_document, command, describe_answers, k_curves, spec_yaml
from penstock.tasks.draw import draw, shown_in_pictures
from penstock.tasks.evaluate import Evaluation
from penstock.tasks.explain import Explained
from penstock.tasks.features import Described
from penstock.tasks.groundwork import Groundwork
from penstock.tasks.nested import Nested
from penstock.tasks.register import tracking_of
from penstock.tasks.select_model import Fit
from penstock.tasks.stage import stage
from penstock.tasks.train import Trained
from penstock.tracking import Tracking


@stage(cached=False)
def report(
    run: Run,
    spec: Spec,
    ground: Groundwork,
    fits: list[Fit],
    selection: Selection,
    trained: Trained,
    evaluation: Evaluation,
    verdict: Ref,
    course: dict[str, Any],
    described: Described | None = None,
    decided: Decided | None = None,
    certificate: Ref | None = None,
    nested: Nested | None = None,
    explained: dict[str, Explained] | None = None,
) -> dict[str, Any]:
    """Write the page and the document, and log all to MLflow; a run that only repeats an earlier one logs little."""
    document = build_document(run, spec, ground, fits, selection, trained, evaluation, verdict, nested)
    document |= describe_answers(run, decided, evaluation)
    document["certificate"] = run.store.facts(certificate) if certificate else None
    document["run"] = _about(run, spec, document)
    document |= course
    document["features"] = run.store.facts(described.facts) if described else {}
    for name, found in (explained or {}).items():
        document[name] = run.store.facts(found.facts)
    document["diagnoses"] = [run.store.facts(found.facts) for found in ground.diagnosed]
    curves = k_curves(run.store.facts(selection.evidence))
    pictures = draw(run, shown_in_pictures(document), evaluation.arrays, ground.parts.folds, curves)
    document["stages"] = run.journal("stage")
    origin = _origin(run, document["stages"])
    document["run"]["cached_from"] = origin
    drawn = [pictures, ground.analysed.figures, *(found.figures for found in (explained or {}).values())]
    drawn += [described.figures] if described else []
    drawn += [found.figures for found in ground.diagnosed]
    figures = {name: svg for figures_of in drawn for name, svg in run.store.facts(figures_of).items()}
    page = run.folder / "report.html"
    document["artifacts"] = {
        "report": str(page),
        "document": str(document_of(run.home, run.id)),
        "journal": str(run.folder / "journal.jsonl"),
        "model": str(run.store.path(trained.model)),
    }
    write_atomically(page, render(document, figures).encode())
    _track(run, spec, ground, document, figures, origin)
    keep_document(run.home, run.id, document)
    announce(run, tracking_of(run), document)
    return document


def _about(run: Run, spec: Spec, document: dict[str, Any]) -> dict[str, Any]:
    context = FlowRunContext.get()
    return {
        "id": run.id,
        "started": run.started.isoformat(timespec="seconds"),
        "seconds": round((datetime.now(UTC) - run.started).total_seconds(), 1),
        "git_commit": run.git_commit,
        "mlflow_run": run.mlflow_run,
        "mlflow_uri": address(run.tracking_uri),
        "prefect_flow_run": str(context.flow_run.id) if context and context.flow_run else None,
        "command": command(),
        "spec_yaml": spec_yaml(spec),
        "versions": document.pop("versions"),
        "reproducible": document.pop("reproducible"),
        "not_reproducible_because": document.pop("not_reproducible_because"),
    }


def _origin(run: Run, stages: list[dict[str, Any]]) -> str | None:
    """The run whose results these are, where no stage had to run and that run told all of it."""
    if not stages or any(stage["state"] != "cached" for stage in stages):
        return None
    origin = str(stages[-1]["from"])
    return origin if document_of(run.home, origin).exists() else None


def _track(
    run: Run, spec: Spec, ground: Groundwork, document: dict[str, Any], figures: dict[str, str], origin: str | None
) -> None:
    tracking = tracking_of(run)
    winner, verdict = document["winner"], document["verdict"]
    failed = [check["name"] for check in verdict["checks"] if check["state"] == "failed"]
    tags = {
        "penstock.verdict": verdict["verdict"],
        "penstock.version": verdict["version"],
        "penstock.verdict_reason": verdict["reason"],
        "penstock.gate_failed": "; ".join(failed) or None,
        "penstock.winner": winner["name"],
        "penstock.data_digest": ground.rows.frame.digest,
        "penstock.reproducible": str(document["run"]["reproducible"]).lower(),
        "penstock.cached_from": origin,
    }
    corrected = document["selection"]["corrected"]
    selection = (
        {"selection_corrected": corrected, "selection_naive": document["selection"]["naive"]} if corrected else {}
    )
    in_sample = {f"in_sample_{name}": value for name, value in document["in_sample"].items()}
    if nested := document["selection"]["nested"]:
        selection["selection_nested"] = {name: nested[name] for name in ("value", "low", "high")}
    metrics = {**document["metrics"], **in_sample, **selection, **_answers(document), **_explained(document)}
    metrics |= _gate_metrics(verdict)
    tracking.log(run.mlflow_run, metrics=metrics, tags=tags)
    if certificate := document["certificate"]:
        _track_certificate(tracking, run.mlflow_run, certificate)
    tracking.log_file(run.mlflow_run, run.folder / "report.html")
    if origin:
        return
    tracking.log(run.mlflow_run, params={**parameters.of_pipeline(spec), **parameters.of_winner(winner, spec.problem)})
    if history := (document.get("deciding") or {}).get("history"):
        tracking.log_series(run.mlflow_run, _by_epoch(history))
    tracking.log_text(run.mlflow_run, document["run"]["spec_yaml"], "pipeline.yaml")
    if any(document["features"].values()):
        tracking.log_text(run.mlflow_run, json.dumps(document["features"], indent=1), "features.json")
    tracking.log_dataset(
        run.mlflow_run,
        name=spec.name,
        digest=ground.rows.frame.digest,
        source=spec.data.source,
        schema=Schema(**run.store.facts(ground.rows.schema_)),
        rows=document["data"]["rows"],
    )
    for name, figure in figures.items():
        tracking.log_text(run.mlflow_run, figure, f"figures/{name}.svg")
    tracking.log_candidates(
        run.mlflow_run, [_child(candidate, spec.problem, document["metric"]) for candidate in document["candidates"]]
    )


def _by_epoch(history: dict[str, Any]) -> dict[str, list[float]]:
    layers = zip(*history["gradient_norms"], strict=True)
    norms = {f"gradient_norm.layer_{number}": list(values) for number, values in enumerate(layers, 1)}
    return {**history["series"], **norms, "best_epoch": [history["best_epoch"]]}


def _answers(document: dict[str, Any]) -> dict[str, Any]:
    """What is known of the answers beside the metrics: threshold, calibration error, coverage."""
    threshold, covered = (document["decision"] or {}).get("threshold"), document["coverage"]
    return {
        "threshold": threshold["value"] if threshold else None,
        **({"calibration_error": document["calibration"]["error"]} if document["calibration"] else {}),
        **({"coverage": covered["share"], "coverage_size": covered["size"]} if covered else {}),
    }


def _track_certificate(tracking: Tracking, mlflow_run: str, certificate: dict[str, Any]) -> None:
    named = ", ".join(certificate["found"]) or "clean"
    tracking.log(mlflow_run, metrics={"leakage_findings": len(certificate["found"])}, tags={"penstock.leakage": named})
    tracking.log_text(mlflow_run, json.dumps(certificate, indent=1), "leakage.json")


def _explained(document: dict[str, Any]) -> dict[str, Any]:
    """What was found beside the scores, as metrics."""
    found = document.get("explanation") or {}
    metrics = {f"importance.{one['column']}": _interval(one) for one in found.get("importance", [])}
    for one in found.get("slices", []):
        if one["value"] is not None:
            metrics[f"slice.{one['column']}.{one['slice']}.{found['metric']}"] = _interval(one)
    for column, facts in found.get("fairness", {}).items():
        for measure in ("demographic_parity", "equalised_odds"):
            metrics[f"fairness.{column}.{measure}"] = _interval(facts[measure])
    for one in (found.get("shap") or {}).get("columns", []):
        metrics[f"shap.{one['column']}"] = _interval(one)
    for curve, place in (("learning", "rows"), ("validation", "value")):
        for point in ((document.get("curves") or {}).get(curve) or {}).get("points", []):
            metrics[f"{curve}_curve.{point[place]:g}"] = point["valid"]
    if structure := document.get("structure"):
        metrics["structure_p_value"] = structure["pvalue"]
    if (truth := document.get("truth")) and truth["rows"]:
        metrics["truth_adjusted_rand"] = truth["agreement"]
    for part, value in ((document.get("bias_variance") or {}).get("squared") or {}).items():
        metrics[f"bias_variance.{part}"] = value
    return metrics


def _interval(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: facts[name] for name in ("value", "low", "high")}


def _gate_metrics(verdict: dict[str, Any]) -> dict[str, Any]:
    """The difference to the champion, and what each safeguard measured."""
    compared = {"gate_difference": verdict["difference"], "gate_rows": verdict["rows"]} if verdict["difference"] else {}
    checks = {f"gate_{check['name']}": check for check in verdict["checks"] if check["value"] is not None}
    return compared | {name: check if check["low"] is not None else check["value"] for name, check in checks.items()}


def _child(candidate: dict[str, Any], problem: str, metric: str) -> dict[str, Any]:
    mean = {metric: candidate["score"]} if candidate["score"] is not None else {}
    if candidate["low"] is not None:
        mean = {metric: {"value": candidate["score"], "low": candidate["low"], "high": candidate["high"]}}
    return {
        "key": candidate["label"],
        "name": candidate["label"],
        "parameters": {"method": candidate["name"], **parameters.of_candidate(candidate, problem)},
        "metrics": mean,
        "folds": {metric: candidate["folds"]} if candidate["folds"] else {},
        **{name: candidate[name] for name in ("status", "seconds", "reason")},
    }
