"""Fit to the purchases of all training users."""

from __future__ import annotations

from penstock.components import catalog
from penstock.problems.training import TrainedModel, TrainInput
from toy_baskets.fit import tables_of


def train(given: TrainInput) -> TrainedModel:
    winner = given.winner
    model = catalog.build(winner.name, winner.parameters, seed=given.seed, problem=given.schema.problem)
    return TrainedModel(model.fit(tables_of(given.training)))
