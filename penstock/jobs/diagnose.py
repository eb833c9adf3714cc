"""Ask a diagnostic about the learning rows."""

from __future__ import annotations

from typing import Any

from penstock.components.diagnostics import find, table_of
from penstock.components.plots.output import to_svg
from penstock.components.schema import Schema
from penstock.jobs import Progress
from penstock.store import Ref, Store

MOST_ROWS = 50


def work(
    store: Store, progress: Progress, rows: Ref, schema_: Ref, name: str, parameters: dict[str, Any]
) -> tuple[Ref, Ref]:
    """Facts for the document, and the picture by its name; the column to predict is known."""
    schema, diagnostic = Schema(**store.facts(schema_)), find(name)
    outcome = [schema.target] if schema.target else []
    named = {"target": schema.target} if outcome and "target" in diagnostic.parameters else {}
    frame = store.frame(rows)[[column.name for column in schema.features] + outcome]
    found = diagnostic(frame, {**named, **parameters})
    table = table_of(found)[:MOST_ROWS]
    facts = {
        "name": name,
        "summary": diagnostic.summary,
        "parameters": parameters,
        "findings": found.findings,
        "facts": found.facts,
        "columns": list(table[0]) if table else [],  # what is stored has its keys sorted
        "table": table,
        "rows": len(found.table),
    }
    figures = {f"diagnosis_{name}": to_svg(found.figure)} if found.figure else {}
    return store.put_facts(facts), store.put_facts(figures)
