"""Train the model that ships."""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import Pipeline

from penstock.components import catalog
from penstock.components.balancing.balance import balance
from penstock.components.preprocessing.preparation import build_preparation, fit_steps, with_copies
from penstock.components.schema import Schema
from penstock.components.search.candidates import BASELINE
from penstock.components.trust import trusted_types
from penstock.jobs import Progress
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
    model = catalog.build(chosen["name"], chosen["parameters"], seed=seed, problem=schema.problem)
    if rule is not None:
        model = read_estimator(store.path(rule), trusted_types()).set_params(estimator=model)
    recipe = store.facts(plan)
    arrays = store.arrays(folds)
    preparation = build_preparation(recipe, seed=seed)
    taught, origin = with_copies(recipe, store.frame(learning))
    y = arrays["y"][origin] if "y" in arrays else None
    weight = arrays["weight"][origin] if "weight" in arrays else None
    matrix = fit_steps(preparation, taught, y)
    if recipe.get("balance") and y is not None and chosen["name"] != BASELINE:
        matrix, y, weight = balance(recipe["balance"], matrix, y, weight, seed=seed)
    model.fit(matrix, y, **({} if weight is None else {"sample_weight": weight}))
    pipeline = Pipeline([*preparation.steps, ("model", model)])
    return save_bundle(store, pipeline=pipeline, schema=schema, contract=store.facts(contract), card=card)
