"""Train the model that ships."""

from __future__ import annotations

from typing import Any

from penstock.components.ensembles.chosen import build_chosen
from penstock.components.schema import Schema
from penstock.components.search.candidates import BASELINE
from penstock.components.trust import trusted_types
from penstock.jobs import Progress
from penstock.jobs.fitting import fit_pipeline
from penstock.model import save_bundle
from penstock.store import Ref, Store, read_estimator


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
    rule: Ref | None = None,
) -> Ref:
    """Refit the winner, whole pipeline, on all learning rows; balanced as planned, deciding by the rule."""
    schema = Schema(**store.facts(schema_))
    chosen = store.facts(winner)
    model = build_chosen(chosen, seed=seed, problem=schema.problem)
    if rule is not None:
        model = read_estimator(store.path(rule), trusted_types()).set_params(estimator=model)
    arrays = store.arrays(folds)
    pipeline = fit_pipeline(
        store.facts(plan),
        model,
        store.frame(learning),
        arrays.get("y"),
        arrays.get("weight"),
        words=arrays,
        balanced=chosen["name"] != BASELINE,
        seed=seed,
    )
    return save_bundle(store, pipeline=pipeline, schema=schema, contract=store.facts(contract), card=card)
