"""Train the model that ships."""

from __future__ import annotations

from typing import Any

from penstock.components.ensembles.chosen import build_chosen
from penstock.components.schema import Schema
from penstock.components.search.candidates import BASELINE
from penstock.components.trust import trusted_types
from penstock.evidence.folds import Folds
from penstock.model import save_bundle
from penstock.problems.rows.pipeline import fit_pipeline
from penstock.problems.training import TrainRequest
from penstock.store import Ref, Store, read_estimator


def train(store: Store, problem: str, request: TrainRequest, card: dict[str, Any]) -> Ref:
    """Refit the winner, whole pipeline, on all learning rows; balanced as planned, deciding by the rule."""
    schema = Schema(**store.facts(request.rows.schema_))
    chosen = store.facts(request.winner)
    model = build_chosen(chosen, seed=request.seed, problem=problem)
    if request.rule is not None:
        model = read_estimator(store.path(request.rule), trusted_types()).set_params(estimator=model)
    known = Folds.load(store, request.parts.folds)
    pipeline = fit_pipeline(
        store.facts(request.plan),
        model,
        store.frame(request.parts.learning),
        known.target,
        known.weight,
        words=known.words,
        balanced=chosen["name"] != BASELINE,
        seed=request.seed,
    )
    return save_bundle(store, pipeline=pipeline, schema=schema, contract=store.facts(request.suite.contract), card=card)
