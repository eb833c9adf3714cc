"""Report: what the run found, as one page for people, one document for programs, and in MLflow."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from penstock.context import Run
from penstock.document.run import RunDocument
from penstock.home.runs import document_of, keep_document
from penstock.problems.fits import Fit
from penstock.problems.selection import Selection
from penstock.problems.training import Decided, Explained, Trained
from penstock.reporting.formats import address
from penstock.reporting.render import render
from penstock.spec.pipeline import Spec
from penstock.stage import stage
from penstock.store import Ref, write_atomically
from penstock.tasks.diagnose import facts_of
from penstock.tasks.document import build_document, command, describe_answers, k_curves, spec_yaml
from penstock.tasks.draw import draw, shown_in_pictures
from penstock.tasks.evaluate import Evaluation
from penstock.tasks.features import Described
from penstock.tasks.groundwork import Groundwork
from penstock.tasks.nested import Nested
from penstock.tasks.track import track


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
) -> RunDocument:
    """Write the page and the document, and log all to MLflow; a run that only repeats an earlier one logs little."""
    document = build_document(run, spec, ground, fits, selection, trained, evaluation, verdict, nested)
    document |= describe_answers(run, decided, evaluation)
    document["certificate"] = run.store.facts(certificate) if certificate else None
    document["run"] = _about(run, spec, document)
    document |= course
    document["features"] = run.store.facts(described.facts) if described else {}
    for name, found in (explained or {}).items():
        document[name] = run.store.facts(found.facts)
    document["diagnoses"] = [
        facts_of(run.store, found, choice.name, choice.parameters)
        for choice, found in zip(spec.diagnose, ground.diagnosed, strict=True)
    ]
    curves = k_curves(run.store.facts(selection.evidence))
    pictures = draw(run, spec.problem, shown_in_pictures(document), evaluation.arrays, ground.parts.folds, curves)
    document["stages"] = run.journal("stage")
    origin = _origin(run, document["stages"])
    document["run"]["cached_from"] = origin
    drawn = [pictures, ground.analysed.figures, *(found.figures for found in (explained or {}).values())]
    drawn += [described.figures] if described else []
    drawn += [found.figures for found in ground.diagnosed if found.figures]
    figures = {name: svg for figures_of in drawn for name, svg in run.store.facts(figures_of).items()}
    page = run.folder / "report.html"
    document["artifacts"] = {
        "report": str(page),
        "document": str(document_of(run.home, run.id)),
        "journal": str(run.folder / "journal.jsonl"),
        "model": str(run.store.path(trained.model)),
    }
    whole = RunDocument.model_validate(document)
    write_atomically(page, render(whole, figures).encode())
    track(run, spec, ground, whole, figures)
    keep_document(run.home, run.id, whole)
    return whole


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
