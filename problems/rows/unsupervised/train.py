"""Train the reduction or density that ships."""

from __future__ import annotations

from penstock.components import catalog
from penstock.problems.rows.pipeline import fit_pipeline
from penstock.problems.training import TrainedModel, TrainInput


def train(given: TrainInput) -> TrainedModel:
    """Refit the winner, whole pipeline, on all training rows."""
    winner, seed = given.winner, given.seed
    model = catalog.build(winner.name, winner.parameters, seed=seed, problem=given.schema.problem)
    return TrainedModel(fit_pipeline(given.plan, model, given.training.frame, None, None, seed=seed))
