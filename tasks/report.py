"""Report: what the run found, as one page for people, one document for programs, and in MLflow."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version

import yaml

from penstock.context import Results, Run
from penstock.document.about import Artifacts, RunFacts, StageFacts
from penstock.document.features import Features
from penstock.document.formats import address
from penstock.document.run import VERSION, RunDocument
from penstock.document.verdict import Verdict
from penstock.home.runs import document_of, keep_document
from penstock.problems import find
from penstock.problems.fits import Fit
from penstock.problems.rows.supervised.shuffled_labels import certify_model
from penstock.problems.training import Explained
from penstock.reporting.render import render
from penstock.spec.pipeline import Spec
from penstock.stage import Stage, stage, stage_at
from penstock.store import write_atomically
from penstock.tasks import document as found
from penstock.tasks.analyse import analyse
from penstock.tasks.certify import certify_rows
from penstock.tasks.course import check_stage_order
from penstock.tasks.diagnose import diagnose, diagnosis_of
from penstock.tasks.draw import draw, drawn_from
from penstock.tasks.evaluate import evaluate
from penstock.tasks.features import describe_features
from penstock.tasks.register import register
from penstock.tasks.select import select
from penstock.tasks.split import split
from penstock.tasks.track import track
from penstock.tasks.train import train

VERSIONS = ("penstock", "scikit-learn", "numpy", "pandas", "prefect", "mlflow", "great-expectations")
STRUCK = ("time", "memory", "died")


@stage(cached=False)
def report(run: Run, spec: Spec, results: Results) -> RunDocument:
    """Write the page and the document, and log all to MLflow; a run that only repeats an earlier one logs little."""
    document = _document(run, spec, results)
    figures = _figures(run, spec, results, document)
    stages = [StageFacts.model_validate(event) for event in run.journal("stage")]
    about = document.run.model_copy(update={"cached_from": _origin(run, stages)})
    document = document.model_copy(update={"stages": stages, "run": about})
    page = run.folder / "report.html"
    write_atomically(page, render(document, figures).encode())
    track(run, spec, results, document, figures)
    keep_document(run.home, run.id, document)
    return document


def _document(run: Run, spec: Spec, results: Results) -> RunDocument:
    """All but the stages: what draws is one of them."""
    store, verdict = run.store, run.store.facts(results.of(register))
    certificate = results.get(certify_model) or results.get(certify_rows)
    described, order = results.get(describe_features), results.get(check_stage_order)
    explained = {section: one.facts for section, one in _explained(spec, results).items()}
    selection, scores = found.how_selected(store, results), store.facts(results.of(evaluate).scores)
    document = RunDocument(
        version=VERSION,
        name=spec.name,
        problem=spec.problem,
        question=found.question(store, spec, results),
        data=found.data(store, spec, results),
        cleaning=found.cleaned(store, results),
        analysis=found.analysis(store, results),
        checks=found.checks(store, results),
        winner=found.winner(store, results),
        metric=selection.metric,
        metrics=scores.metrics,
        in_sample=scores.in_sample,
        selection=selection,
        candidates=found.candidates(store, results),
        verdict=verdict,
        certificate=store.facts(certificate) if certificate else None,
        run=_about(run, spec, found.all_fits(results), verdict),
        features=store.facts(described.facts) if described else Features(),
        diagnoses=[
            diagnosis_of(
                store,
                one.name,
                one.parameters,
                results.of(diagnose, name=one.name, parameters=one.parameters),
            )
            for one in spec.diagnose
        ],
        stages=[],
        artifacts=Artifacts(
            report=str(run.folder / "report.html"),
            document=str(document_of(run.home, run.id)),
            journal=str(run.folder / "journal.jsonl"),
            model=str(store.path(results.of(train).model)),
        ),
        sections=found.sections(store, results, explained),
    )
    return document.model_copy(update={"course": order.course, "prepared": order.prepared}) if order else document


def _explained(spec: Spec, results: Results) -> dict[str, Explained]:
    """What stages that this kind of problem alone has found, by section."""
    stages: dict[str, Stage[..., Explained]] = {one.section: stage_at(one.stage) for one in find(spec.problem).extras}
    gave = {section: results.get(stage) for section, stage in stages.items()}
    return {section: one for section, one in gave.items() if one}


def _figures(run: Run, spec: Spec, results: Results, document: RunDocument) -> dict[str, str]:
    """All pictures of the run, as SVG by name."""
    curves = found.k_curves(run.store.facts(results.of(select).evidence))
    evaluation, folds = results.of(evaluate), results.of(split).folds
    drawn = [draw(run, spec.problem, drawn_from(document), evaluation, folds, curves), results.of(analyse).figures]
    described = results.get(describe_features)
    drawn += [one.figures for one in _explained(spec, results).values()]
    drawn += [described.figures] if described else []
    for choice in spec.diagnose:
        figures = results.of(diagnose, name=choice.name, parameters=choice.parameters).figures
        drawn += [figures] if figures else []
    return {name: svg for figures in drawn for name, svg in run.store.facts(figures).items()}


def _about(run: Run, spec: Spec, fits: Sequence[Fit], verdict: Verdict) -> RunFacts:
    reasons = _not_reproducible(fits, verdict)
    return RunFacts(
        id=run.id,
        started=run.started.isoformat(timespec="seconds"),
        seconds=round((datetime.now(UTC) - run.started).total_seconds(), 1),
        git_commit=run.git_commit,
        mlflow_run=run.mlflow_run,
        mlflow_uri=address(run.tracking_uri),
        prefect_flow_run=run.flow_run,
        command=_command(),
        spec_yaml=_spec_yaml(spec),
        versions={name: version(name) for name in VERSIONS},
        reproducible=not reasons,
        not_reproducible_because="; ".join(reasons) or None,
        cached_from=None,
    )


def _not_reproducible(fits: Sequence[Fit], verdict: Verdict) -> list[str]:
    """A limit that struck depends on the machine's speed, and so does what came after it."""
    struck = [f"{fit.candidate.label} {fit.reason}" for fit in fits if fit.status in STRUCK][:3]
    return struck + (["the gate's verdict hangs on how long predictions took"] if verdict.timed else [])


def _spec_yaml(spec: Spec) -> str:
    return yaml.safe_dump(spec.model_dump(mode="json", by_alias=True, exclude_defaults=True), sort_keys=False)


def _command() -> str:
    """The command that made this run, where there was one."""
    return shlex.join(["penstock", *sys.argv[1:]]) if sys.argv[0].endswith("penstock") else ""


def _origin(run: Run, stages: Sequence[StageFacts]) -> str | None:
    """The run whose results these are, where no stage had to run and that run told all of it."""
    if not stages or any(stage.state != "cached" for stage in stages):
        return None
    origin = str(stages[-1].from_)
    return origin if document_of(run.home, origin).exists() else None
