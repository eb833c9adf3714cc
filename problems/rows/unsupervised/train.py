"""Train the reduction or density that ships."""

from __future__ import annotations

from typing import Any

from penstock.components import catalog
from penstock.components.schema import Schema
from penstock.model import save_bundle
from penstock.problems.rows.pipeline import fit_pipeline
from penstock.problems.training import TrainRequest
from penstock.store import Ref, Store


def train(store: Store, problem: str, request: TrainRequest, card: dict[str, Any]) -> Ref:
    """Refit the winner, whole pipeline, on all learning rows."""
    schema, chosen = Schema(**store.facts(request.rows.schema_)), store.facts(request.winner)
    model = catalog.build(chosen["name"], chosen["parameters"], seed=request.seed, problem=problem)
    pipeline = fit_pipeline(
        store.facts(request.plan), model, store.frame(request.parts.learning), None, None, seed=request.seed
    )
    return save_bundle(store, pipeline=pipeline, schema=schema, contract=store.facts(request.suite.contract), card=card)
