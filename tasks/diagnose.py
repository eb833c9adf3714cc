"""Diagnose: what was asked about the learning rows beside a model."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from penstock.context import Run
from penstock.errors import PenstockError
from penstock.store import Ref
from penstock.tasks.ingest import Rows
from penstock.tasks.split import Parts
from penstock.tasks.stage import stage
from penstock.tasks.work import in_worker


class Diagnosed(BaseModel):
    """What one diagnostic found, and its picture; or, where it `failed`, why."""

    facts: Ref
    figures: Ref
    failed: bool = False


@stage(
    job="diagnose",
    libraries=("matplotlib",),
    label=lambda name, **_: name,
    remember=lambda diagnosed: not diagnosed.failed,
)
def diagnose(run: Run, rows: Rows, parts: Parts, name: str, parameters: dict[str, Any]) -> Diagnosed:
    """A diagnostic that fails is told in the report, and no model waits for it."""
    arguments = {"rows": parts.learning, "schema_": rows.schema_, "name": name, "parameters": parameters}
    try:
        facts, figures = in_worker(run, "diagnose", **arguments)
    except PenstockError as error:
        told = _told(name, parameters, error)
        return Diagnosed(facts=run.store.put_facts(told), figures=run.store.put_facts({}), failed=True)
    return Diagnosed(facts=Ref(**facts), figures=Ref(**figures))


def _told(name: str, parameters: dict[str, Any], error: PenstockError) -> dict[str, Any]:
    from penstock.components.diagnostics import find  # they draw, so they take a while to load

    return {
        "name": name,
        "summary": find(name).summary,
        "parameters": parameters,
        "findings": [
            "This diagnostic failed, and the run went on without it.",
            *map(str.strip, str(error).split("\n")),
        ],
        "facts": {"failed": error.code},
        "table": [],
        "rows": 0,
    }
