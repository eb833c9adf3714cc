"""Judge the clusters on rows that did not shape them."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.clustering.describe import project_2d
from penstock.components.clustering.scores import internal_scores
from penstock.components.evaluation.intervals import mean_interval
from penstock.model import load_bundle
from penstock.problems.training import EvaluateRequest
from penstock.store import Ref, Store

MAX_DRAWN = 2000


def evaluate(store: Store, problem: str, request: EvaluateRequest) -> tuple[Ref, Ref]:
    """Separation on the test rows and stability of the winner; and what the plots need."""
    bundle = load_bundle(store.path(request.trained.model))
    frame = store.frame(request.parts.test)
    matrix = np.asarray(bundle.pipeline[:-1].transform(frame))
    labels = np.asarray(bundle.pipeline.predict(frame))
    scores = internal_scores(matrix, labels, seed=request.seed)
    chosen = store.facts(request.evidence)
    steady = chosen["fits"][chosen["position"]].get("stability")
    metrics: dict[str, Any] = {}
    if steady:
        metrics["stability"] = {**steady, "label": "Stability (adjusted Rand)", "sign": 1}
    shown = scores["silhouette_rows"]
    silhouettes = {"silhouette": scores["silhouette_values"]}
    if not len(shown):
        shown, silhouettes = np.arange(len(frame))[:MAX_DRAWN], {}
    else:
        separation = mean_interval(scores["silhouette_values"], seed=request.seed)
        metrics = {"silhouette": {**separation.model_dump(), "label": "Silhouette", "sign": 1}, **metrics}
    points, explained = project_2d(matrix, request.seed)
    facts = {"metrics": metrics, "rows": len(frame)}
    arrays = {
        "assigned": labels,
        "points_2d": points[shown],
        "labels": labels[shown],
        "explained_variance": explained,
        **silhouettes,
    }
    return store.put_facts(facts), store.put_arrays(**arrays)
