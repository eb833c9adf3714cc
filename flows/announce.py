"""Prefect's page of a run leads to the report and to MLflow's page."""

from __future__ import annotations

from prefect.artifacts import create_markdown_artifact

from penstock.context import Run
from penstock.document.formats import sentence
from penstock.document.run import RunDocument
from penstock.tasks.register import tracking_of

VIEW = "?workflowType=machine_learning"  # else MLflow opens its view for language models


def announced(run: Run, document: RunDocument) -> RunDocument:
    """The document, once the flow run has an artifact that says what was found; outside Prefect there is none."""
    if run.flow_run:
        create_markdown_artifact(
            key=f"{run.pipeline.replace('_', '-')}-report",
            markdown=in_words(run, document, tracking_of(run).page(run.pipeline, run.mlflow_run)),
            description=f"What run {run.id} found, and where to read more.",
        )
    return document


def in_words(run: Run, document: RunDocument, page: str | None) -> str:
    metric, verdict, scored = document.metric, document.verdict, ""
    score = document.metrics.get(metric)
    if score and score.value is not None and score.low is not None and score.high is not None:
        scored = f": {metric} {score.value:.3g} ({score.low:.3g} to {score.high:.3g})"
    lines = [
        f"## {run.pipeline}",
        f"**{document.winner.name}**{scored}",
        f"Gate: **{verdict.verdict}**. {sentence(verdict.reason)}",
    ]
    report = f"`{document.artifacts.report}`"
    if page:
        lines += [f"- [MLflow run]({page}{VIEW})", f"- [Report]({page}/artifacts/report.html{VIEW}), also {report}"]
    else:
        lines += [f"- MLflow run `{run.mlflow_run}`: `penstock ui {run.pipeline}` opens its page", f"- Report {report}"]
    return "\n\n".join(lines[:3]) + "\n\n" + "\n".join(lines[3:]) + "\n"
