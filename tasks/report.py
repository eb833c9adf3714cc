"""Report: what the run found, as one page for people, one document for programs, and in MLflow."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from penstock.context import Results, Run
from penstock.document.formats import address
from penstock.document.run import RunDocument
from penstock.home.runs import document_of, keep_document
from penstock.problems import find
from penstock.problems.rows.supervised.shuffled_labels import certify_model
from penstock.problems.selection import SelectionEvidence
from penstock.problems.training import Explained
from penstock.reporting.render import render
from penstock.spec.pipeline import Spec
from penstock.stage import Stage, stage, stage_at
from penstock.store import write_atomically
from penstock.tasks.analyse import analyse
from penstock.tasks.certify import certify_rows
from penstock.tasks.course import check_stage_order
from penstock.tasks.diagnose import diagnose, facts_of
from penstock.tasks.document import build_document, command, describe_predictions, k_curves, spec_yaml
from penstock.tasks.draw import draw, shown_in_pictures
from penstock.tasks.evaluate import evaluate
from penstock.tasks.features import describe_features
from penstock.tasks.select import select
from penstock.tasks.split import split
from penstock.tasks.track import track
from penstock.tasks.train import train


@stage(cached=False)
def report(run: Run, spec: Spec, results: Results) -> RunDocument:
    """Write the page and the document, and log all to MLflow; a run that only repeats an earlier one logs little."""
    document = build_document(run, spec, results) | describe_predictions(run, results)
    certificate = results.get(certify_model) or results.get(certify_rows)
    document["certificate"] = run.store.facts(certificate) if certificate else None
    document["run"] = _about(run, spec, document)
    document |= results.get(check_stage_order) or {}
    described = results.get(describe_features)
    document["features"] = run.store.facts(described.facts) if described else {}
    explained = _explained(spec, results)
    for name, found in explained.items():
        document[name] = run.store.facts(found.facts)
    diagnosed = [results.of(diagnose, name=choice.name, parameters=choice.parameters) for choice in spec.diagnose]
    document["diagnoses"] = [
        facts_of(run.store, found, choice.name, choice.parameters)
        for choice, found in zip(spec.diagnose, diagnosed, strict=True)
    ]
    curves = k_curves(run.store.facts(results.of(select).evidence, SelectionEvidence))
    evaluation, folds = results.of(evaluate), results.of(split).folds
    pictures = draw(run, spec.problem, shown_in_pictures(document), evaluation, folds, curves)
    document["stages"] = run.journal("stage")
    origin = _origin(run, document["stages"])
    document["run"]["cached_from"] = origin
    drawn = [pictures, results.of(analyse).figures, *(found.figures for found in explained.values())]
    drawn += [described.figures] if described else []
    drawn += [found.figures for found in diagnosed if found.figures]
    figures = {name: svg for figures_of in drawn for name, svg in run.store.facts(figures_of).items()}
    page = run.folder / "report.html"
    document["artifacts"] = {
        "report": str(page),
        "document": str(document_of(run.home, run.id)),
        "journal": str(run.folder / "journal.jsonl"),
        "model": str(run.store.path(results.of(train).model)),
    }
    whole = RunDocument.model_validate(document)
    write_atomically(page, render(whole, figures).encode())
    track(run, spec, results, whole, figures)
    keep_document(run.home, run.id, whole)
    return whole


def _explained(spec: Spec, results: Results) -> dict[str, Explained]:
    """What stages that this kind of problem alone has found, by section."""
    stages: dict[str, Stage[..., Explained]] = {one.section: stage_at(one.stage) for one in find(spec.problem).extras}
    found = {section: results.get(stage) for section, stage in stages.items()}
    return {section: one for section, one in found.items() if one}


def _about(run: Run, spec: Spec, document: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": run.id,
        "started": run.started.isoformat(timespec="seconds"),
        "seconds": round((datetime.now(UTC) - run.started).total_seconds(), 1),
        "git_commit": run.git_commit,
        "mlflow_run": run.mlflow_run,
        "mlflow_uri": address(run.tracking_uri),
        "prefect_flow_run": run.flow_run,
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
