"""Diagnose: what was asked about the training rows beside a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from penstock.actions.codedigest import code_digests
from penstock.components.diagnostics import find, module_of, table_of
from penstock.document.about import Diagnosis
from penstock.errors import PenstockError
from penstock.problems.data import DataSplit, Rows
from penstock.stage import DIED, MEMORY, Failure, stage
from penstock.store import Figures, Ref, Store, canonical_json

MAX_ROWS = 50


class Diagnosed(BaseModel):
    """What one diagnostic found, and its picture; or the error where it `failed`, and its code."""

    facts: Ref[Diagnosis] | None = None
    figures: Ref[Figures] | None = None
    failed: str | None = None
    code: str | None = None


def _killed(failure: Failure) -> Diagnosed:
    code = MEMORY if failure.status == "memory" else DIED if failure.status == "died" else "PEN998"
    return Diagnosed(failed=f"{code}: {failure.reason}", code=code)


@stage(
    worker=True,
    libraries=("matplotlib",),
    label=lambda name, **_: name,
    remember=lambda diagnosed: not diagnosed.failed,
    failed=_killed,
    limited=lambda **_: False,
)
def diagnose(
    store: Store, rows: Rows, data_split: DataSplit, name: str, parameters: dict[str, Any], digests: dict[str, str]
) -> Diagnosed:
    """Facts for the document and the picture; the column to predict is known. `digests`: of what it runs.

    A diagnostic that fails is told in the report, and no model waits for it.
    """
    from penstock.components.plots.output import to_svg  # it draws, so it takes a while to load

    schema, diagnostic = store.facts(rows.schema_), find(name)
    named = {"target": schema.outcomes[0]} if schema.outcomes and "target" in diagnostic.parameters else {}
    frame = store.frame(data_split.train)[[column.name for column in schema.features] + schema.outcomes]
    try:
        found = diagnostic(frame, {**named, **parameters})
    except PenstockError as error:
        return Diagnosed(failed=str(error), code=error.code)
    table = table_of(found)[:MAX_ROWS]
    facts = Diagnosis(
        name=name,
        summary=diagnostic.summary,
        parameters=parameters,
        findings=found.findings,
        facts=json.loads(canonical_json(found.facts)),  # keys may be numbers
        columns=list(table[0]) if table else [],  # what is stored has its keys sorted
        table=table,
        rows=len(found.table),
    )
    figures = {f"diagnosis_{name}": to_svg(found.figure)} if found.figure else {}
    return Diagnosed(facts=store.put_facts(facts), figures=store.put_facts(figures))


def diagnosis_of(store: Store, name: str, parameters: Mapping[str, Any], found: Diagnosed) -> Diagnosis:
    """For the document."""
    if found.facts:
        return store.facts(found.facts)
    lines = map(str.strip, str(found.failed).split("\n"))
    return Diagnosis(
        name=name,
        summary=find(name).summary,
        parameters=dict(parameters),
        findings=["This diagnostic failed, and the run went on without it.", *lines],
        facts={"failed": found.code},
        table=[],
        rows=0,
    )


def code_of(name: str, store: Store) -> dict[str, str]:
    """Digests of what this diagnostic runs: it is loaded by its name, which no digest of a stage follows."""
    return code_digests((module_of(name),), store)
