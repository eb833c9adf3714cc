"""Prefect's page of a run leads to the report and to MLflow's page."""

from __future__ import annotations

from typing import Any

from prefect.artifacts import create_markdown_artifact
from prefect.context import FlowRunContext

from penstock.context import Run
from penstock.reporting.formats import sentence
from penstock.tracking import Tracking

VIEW = "?workflowType=machine_learning"  # else MLflow opens its view for language models


def announce(run: Run, tracking: Tracking, document: dict[str, Any]) -> None:
    """What was found, in a few words, as an artifact of the flow run; outside Prefect there is no one to tell."""
    if FlowRunContext.get() is None:
        return
    create_markdown_artifact(
        key=f"{run.pipeline.replace('_', '-')}-report",
        markdown=in_words(run, document, tracking.page(run.pipeline, run.mlflow_run)),
        description=f"What run {run.id} found, and where to read more.",
    )


def in_words(run: Run, document: dict[str, Any], page: str | None) -> str:
    metric, verdict = document["metric"], document["verdict"]
    score = document["metrics"].get(metric)
    scored = f": {metric} {score['value']:.3g} ({score['low']:.3g} to {score['high']:.3g})" if _whole(score) else ""
    lines = [
        f"## {run.pipeline}",
        f"**{document['winner']['name']}**{scored}",
        f"Gate: **{verdict['verdict']}**. {sentence(verdict['reason'])}",
    ]
    report = f"`{document['artifacts']['report']}`"
    if page:
        lines += [f"- [MLflow run]({page}{VIEW})", f"- [Report]({page}/artifacts/report.html{VIEW}), also {report}"]
    else:
        lines += [f"- MLflow run `{run.mlflow_run}`: `penstock ui {run.pipeline}` opens its page", f"- Report {report}"]
    return "\n\n".join(lines[:3]) + "\n\n" + "\n".join(lines[3:]) + "\n"


def _whole(score: dict[str, Any] | None) -> bool:
    return score is not None and None not in (score.get("value"), score.get("low"), score.get("high"))
