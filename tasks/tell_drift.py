"""Tell of drift: one page for people, and metrics in MLflow."""

from __future__ import annotations

import json
from typing import Any

from penstock.context import Run
from penstock.document.formats import address
from penstock.reporting.drift import render_drift
from penstock.stage import stage
from penstock.store import Ref, write_atomically
from penstock.tasks.find_drift import DriftFacts
from penstock.tasks.register import tracking_of
from penstock.tracking import MONITOR

DRIFT_TAG = "penstock.drift"
VERSION_TAG = "penstock.version"


@stage(cached=False)
def tell_drift(run: Run, version: str, source: str, found: Ref[DriftFacts]) -> dict[str, Any]:
    """The document that `penstock monitor --json` prints."""
    document: dict[str, Any] = {
        "model": run.pipeline,
        "version": version,
        "source": address(source),
        "run": run.id,
        "started": run.started.isoformat(timespec="seconds"),
        "mlflow_run": run.mlflow_run,
        "prefect_flow_run": run.flow_run,
        **run.store.facts(found),
        "history": _history(run, version),
        "report": str(run.folder / "drift.html"),
    }
    document["words"] = [one["column"] or "all columns together" for one in drifted(document)]
    write_atomically(run.folder / "drift.html", render_drift(document).encode())
    write_atomically(run.folder / "drift.json", json.dumps(document, indent=1, default=str).encode())
    _track(run, document)
    return document


def drifted(document: dict[str, Any]) -> list[dict[str, Any]]:
    """What stands out, over all families."""
    return [one for family in document["families"] for one in family["found"] if one["drifted"]]


def _track(run: Run, document: dict[str, Any]) -> None:
    tracking, scores = tracking_of(run), document["scores"]
    metrics: dict[str, Any] = {"drifted": float(document["drifted"]), "rows": document["rows"]}
    for family in document["families"]:
        metrics[f"{family['name']}.p_value"] = family["p"]
        for one in family["found"]:
            name = f"{family['name']}.{one['column'] or 'together'}.{one['kind']}"
            metrics |= {f"{name}.p_value": one["p"], f"{name}.distance": one.get("distance")}
    metrics |= {f"unseen.{one['column']}": one["share"] for one in document["unseen"]}
    if scores:
        metrics |= {scores["metric"]: scores["now"], f"test_{scores['metric']}": scores["test"]}
    tags = {DRIFT_TAG: str(document["drifted"]).lower(), "penstock.drifted": ", ".join(document["words"]) or None}
    tracking.log(run.mlflow_run, metrics=metrics, tags=tags)
    tracking.log_file(run.mlflow_run, run.folder / "drift.html")
    tracking.log_file(run.mlflow_run, run.folder / "drift.json")


def _history(run: Run, version: str) -> list[dict[str, Any]]:
    """What was found before of the same version, the oldest first."""
    earlier = tracking_of(run).runs(run.pipeline, MONITOR)
    return [
        {
            "started": one["started"],
            "drifted": one["tags"].get(DRIFT_TAG) == "true",
            "what": one["tags"].get("penstock.drifted", ""),
            "metrics": one["metrics"],
        }
        for one in reversed(earlier)
        if one["tags"].get(VERSION_TAG) == version and one["status"] == "FINISHED"
    ]
