"""Retraining: a challenger by the usual flow, for a reason that is kept with what becomes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from prefect import flow

from penstock.context import Engine
from penstock.flows.training import flow_of
from penstock.settings import Settings
from penstock.spec.checked import checked_spec, handed_over
from penstock.spec.data import SOURCE
from penstock.spec.paths import allowed, named_by_user
from penstock.spec.retrain import Retrain
from penstock.tasks.new_labels import new_labels

Cause = Literal["hand", "schedule", "drift", "labels"]
CAUSES: dict[str, str] = {
    "hand": "asked for by hand",
    "schedule": "due by its schedule",
    "drift": "recent rows have drifted",
    "labels": "new labelled rows have come",
}


@flow(name="retrain")
def retrain(
    pipeline: str,
    overrides: list[str] | None = None,
    cause: Cause = "hand",
    run_id: str | None = None,
    engine: Engine = "prefect",
) -> dict[str, Any]:
    """Train a challenger and let the gate compare it with the champion, on rows that the champion never saw.

    With the cause `labels` only where enough rows with labels have come since the champion was trained.
    """
    spec = checked_spec(pipeline, overrides)
    settings = Settings.from_environment()
    settings.apply()
    words = CAUSES[cause]
    if cause == "labels":
        wanted = (spec.retrain or Retrain(on=["labels"])).new_labels
        base = Path(pipeline).resolve().parent
        found = new_labels(
            settings, spec, base, None if SOURCE in named_by_user(spec, overrides or []) else allowed(base)
        )
        words = f"{found} new labelled rows have come"
        if found < wanted:
            return {"retrained": False, "cause": cause, "why": f"{words}, and {wanted} are waited for"}
    with handed_over(spec, pipeline, overrides):
        document = flow_of(spec.problem).fn(pipeline, overrides, run_id=run_id, engine=engine, cause=words)
    return {"retrained": True, "cause": cause, "why": words, "document": document}
