"""Train the model that ships."""

from __future__ import annotations

from typing import Any

from penstock.components import catalog
from penstock.components.preprocessing.preparation import build_pipeline, with_copies
from penstock.components.schema import Schema
from penstock.jobs import Progress
from penstock.model import save_bundle
from penstock.store import Ref, Store


def work(
    store: Store,
    progress: Progress,
    plan: Ref,
    learning: Ref,
    folds: Ref,
    winner: Ref,
    schema_: Ref,
    contract: Ref,
    card: dict[str, Any],
    seed: int,
) -> Ref:
    """Refit the winner, whole pipeline, on all learning rows."""
    schema = Schema(**store.facts(schema_))
    chosen = store.facts(winner)
    model = catalog.build(chosen["name"], chosen["parameters"], seed=seed, problem=schema.problem)
    pipeline = build_pipeline(store.facts(plan), model, seed=seed)
    arrays = store.arrays(folds)
    taught, origin = with_copies(store.facts(plan), store.frame(learning))
    weighing = {"model__sample_weight": arrays["weight"][origin]} if "weight" in arrays else {}
    pipeline.fit(taught, arrays["y"][origin] if "y" in arrays else None, **weighing)
    return save_bundle(store, pipeline=pipeline, schema=schema, contract=store.facts(contract), card=card)
