"""Train the clustering that ships, and what it needs to assign rows that it has not seen."""

from __future__ import annotations

import numpy as np
from sklearn.pipeline import Pipeline

from penstock.components import catalog
from penstock.components.clustering.assignment import Assigner
from penstock.components.dissimilarity.levels import comparing_columns
from penstock.components.preprocessing.preparation import build_preparation, feature_names, fit_steps, with_copies
from penstock.problems.training import TrainedModel, TrainInput

CONFIDENCE = (
    "the largest probability, where the method gives some; else other / (own + other), of the distances to the fifth "
    "nearest row of the own cluster and of all others"
)
OUTLIER = "noise, or further from the rows of its cluster than 99 of 100 of them are from each other"


def train(given: TrainInput) -> TrainedModel:
    """Refit the winner, whole pipeline, on all training rows. Its card says by what rule new rows are assigned."""
    winner, seed, frame = given.winner, given.seed, given.training.frame
    preparation = build_preparation(given.plan, seed=seed)
    training = fit_steps(preparation, with_copies(given.plan, frame)[0], None)
    model = catalog.build(winner.name, winner.parameters, seed=seed, problem=given.schema.problem)
    model = comparing_columns(model, feature_names(preparation)).fit(training)
    pipeline = Pipeline([*preparation.steps, ("model", model)])
    matrix = np.asarray(pipeline[:-1].transform(frame))
    assigner = Assigner(random_state=seed).fit(matrix, model.predict(matrix))
    rule = getattr(model, "assignment_rule", "the method's own")
    card = {"assignment": {"rule": rule, "confidence": CONFIDENCE, "outlier": OUTLIER}}
    return TrainedModel(pipeline, assigner, card)
