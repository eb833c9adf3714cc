"""There are no rows to evaluate on: only what holds of the rows trained on."""

from __future__ import annotations

from penstock.model import load_bundle
from penstock.problems.training import EvaluateRequest
from penstock.store import Ref, Store


def evaluate(store: Store, problem: str, request: EvaluateRequest) -> tuple[Ref, Ref]:
    bundle = load_bundle(store.path(request.trained.model))
    held = bundle.pipeline.predict(store.frame(request.parts.learning)).mean()
    return store.put_facts({"metrics": {}, "in_sample": {"held": float(held)}}), store.put_arrays()
