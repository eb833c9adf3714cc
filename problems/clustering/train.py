"""Train the clustering that ships, and what it needs to judge rows that it has not seen."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from penstock.components import catalog
from penstock.components.clustering.assignment import Assigner
from penstock.components.dissimilarity.levels import comparing_columns
from penstock.components.preprocessing.preparation import build_preparation, feature_names, fit_steps, with_copies
from penstock.components.schema import Schema
from penstock.model import save_bundle
from penstock.problems.training import TrainRequest
from penstock.store import Ref, Store

CONFIDENCE = (
    "the largest probability, where the method gives some; else other / (own + other), of the distances to the fifth "
    "nearest row of the own cluster and of all others"
)
OUTLIER = "noise, or further from the rows of its cluster than 99 of 100 of them are from each other"


def train(store: Store, problem: str, request: TrainRequest, card: dict[str, Any]) -> Ref:
    """Refit the winner, whole pipeline, on all learning rows. Its card says by what rule new rows are assigned."""
    schema, chosen, frame = (
        Schema(**store.facts(request.rows.schema_)),
        store.facts(request.winner),
        store.frame(request.parts.learning),
    )
    model = catalog.build(chosen["name"], chosen["parameters"], seed=request.seed, problem=problem)
    recipe = store.facts(request.plan)
    preparation = build_preparation(recipe, seed=request.seed)
    taught = fit_steps(preparation, with_copies(recipe, frame)[0], None)
    model = comparing_columns(model, feature_names(preparation)).fit(taught)
    pipeline = Pipeline([*preparation.steps, ("model", model)])
    matrix = np.asarray(pipeline[:-1].transform(frame))
    assigner = Assigner(random_state=request.seed).fit(matrix, model.predict(matrix))
    rule = getattr(model, "assignment_rule", "the method's own")
    told = {**card, "assignment": {"rule": rule, "confidence": CONFIDENCE, "outlier": OUTLIER}}
    facts = {"schema": schema, "contract": store.facts(request.suite.contract), "card": told}
    return save_bundle(store, pipeline=pipeline, assigner=assigner, **facts)
