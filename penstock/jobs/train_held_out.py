"""Train the reduction or density that ships."""

from __future__ import annotations

from typing import Any

from penstock.components import catalog
from penstock.components.schema import Schema
from penstock.jobs import Progress
from penstock.jobs.fitting import fit_pipeline
from penstock.model import save_bundle
from penstock.store import Ref, Store


def work(
    store: Store,
    progress: Progress,
    plan: Ref,
    learning: Ref,
    winner: Ref,
    schema_: Ref,
    contract: Ref,
    card: dict[str, Any],
    seed: int,
) -> Ref:
    """Refit the winner, whole pipeline, on all learning rows."""
    schema, chosen = Schema(**store.facts(schema_)), store.facts(winner)
    model = catalog.build(chosen["name"], chosen["parameters"], seed=seed, problem=schema.problem)
    pipeline = fit_pipeline(store.facts(plan), model, store.frame(learning), None, None, seed=seed)
    return save_bundle(store, pipeline=pipeline, schema=schema, contract=store.facts(contract), card=card)
