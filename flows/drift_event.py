"""What Prefect's automations hear of drift."""

from __future__ import annotations

from typing import Any

from prefect.events import emit_event

EVENT = "penstock.drift"


def resource_of(model: str) -> str:
    """How events name a model."""
    return f"penstock.model.{model}"


def emit_drift(document: dict[str, Any]) -> None:
    """An event that an automation can act on."""
    emit_event(
        event=EVENT,
        resource={
            "prefect.resource.id": resource_of(document["model"]),
            "prefect.resource.name": document["model"],
            "penstock.version": document["version"],
        },
        payload={name: document[name] for name in ("version", "source", "rows", "words", "run", "report")},
    )
