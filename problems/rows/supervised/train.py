"""Train the model that ships."""

from __future__ import annotations

from penstock.components.ensembles.chosen import build_chosen
from penstock.components.search.candidates import BASELINE
from penstock.problems.rows.pipeline import fit_pipeline
from penstock.problems.training import TrainedModel, TrainInput


def train(given: TrainInput) -> TrainedModel:
    """Refit the winner, whole pipeline, on all training rows; balanced as planned, deciding by the rule."""
    model = build_chosen(given.winner, seed=given.seed, problem=given.schema.problem)
    if given.rule is not None:
        model = given.rule.set_params(estimator=model)
    pipeline = fit_pipeline(
        given.plan,
        model,
        given.training.frame,
        given.folds.target,
        given.folds.weight,
        words=given.folds.words,
        balanced=given.winner.name != BASELINE,
        seed=given.seed,
    )
    return TrainedModel(pipeline)
