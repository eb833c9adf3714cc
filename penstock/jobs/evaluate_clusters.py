"""Judge the clusters on rows that did not shape them."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.clustering.describe import profile, project_2d
from penstock.components.clustering.scores import internal_scores
from penstock.components.evaluation.intervals import mean_interval
from penstock.jobs import Progress
from penstock.model import load_bundle
from penstock.store import Ref, Store


def work(
    store: Store, progress: Progress, model: Ref, rows: Ref, learning: Ref, evidence: Ref, seed: int
) -> tuple[Ref, Ref]:
    """Separation on the test rows and stability of the winner; and what the plots need."""
    bundle = load_bundle(store.path(model))
    frame, seen = store.frame(rows), store.frame(learning)
    matrix = np.asarray(bundle.pipeline[:-1].transform(frame))
    labels = np.asarray(bundle.pipeline.predict(frame))
    scores = internal_scores(matrix, labels, seed=seed)
    chosen = store.facts(evidence)
    winner = chosen["fits"][chosen["position"]]
    clusters = profile(seen, bundle.schema, np.asarray(bundle.pipeline.predict(seen)))
    for cluster, steady in zip(clusters, winner["clusters"], strict=True):
        cluster["stability"] = steady
    metrics: dict[str, Any] = {"stability": {**winner["stability"], "label": "Stability (adjusted Rand)", "sign": 1}}
    shown = scores["silhouette_rows"]
    if len(shown):
        separation = mean_interval(scores["silhouette_values"], seed=seed)
        metrics = {"silhouette": {**separation.model_dump(), "label": "Silhouette", "sign": 1}, **metrics}
    points, explained = project_2d(matrix, seed)
    facts = {"metrics": metrics, "rows": len(frame), "clusters": clusters}
    arrays = {
        "points_2d": points[shown],
        "labels": labels[shown],
        "silhouette": scores["silhouette_values"],
        "explained_variance": explained,
    }
    return store.put_facts(facts), store.put_arrays(**arrays)
