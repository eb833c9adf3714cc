"""Diagnose: what was asked about the learning rows beside a model."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from penstock.context import Run
from penstock.store import Ref
from penstock.tasks.ingest import Rows
from penstock.tasks.split import Parts
from penstock.tasks.stage import stage
from penstock.tasks.work import in_worker


class Diagnosed(BaseModel):
    """What one diagnostic found, and its picture."""

    facts: Ref
    figures: Ref


@stage(job="diagnose", libraries=("matplotlib",), label=lambda name, **_: name)
def diagnose(run: Run, rows: Rows, parts: Parts, name: str, parameters: dict[str, Any]) -> Diagnosed:
    arguments = {"rows": parts.learning, "schema_": rows.schema_, "name": name, "parameters": parameters}
    facts, figures = in_worker(run, "diagnose", **arguments)
    return Diagnosed(facts=Ref(**facts), figures=Ref(**figures))
