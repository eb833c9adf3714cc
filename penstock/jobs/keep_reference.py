"""Keep with a model what later rows are compared with."""

from __future__ import annotations

from penstock.components.drift.reference import known_values, reference_rows
from penstock.components.schema import Schema
from penstock.jobs import Progress
from penstock.store import Ref, Store


def work(
    store: Store, progress: Progress, learning: Ref, test: Ref, schema_: Ref, metric: str | None, seed: int
) -> tuple[Ref, Ref]:
    """A sample of rows, and the facts that a sample does not tell."""
    schema = Schema(**store.facts(schema_))
    learnt = store.frame(learning)
    rows = reference_rows(learnt, store.frame(test), schema, seed)
    facts = {"known": known_values(learnt, schema), "metric": metric, "learning_rows": len(learnt), "seed": seed}
    return store.put_frame(rows), store.put_facts(facts)
