"""Evaluate the clusters on rows that did not shape them."""

from __future__ import annotations

import numpy as np

from penstock.components.clustering.describe import project_2d
from penstock.components.clustering.metrics import internal_scores
from penstock.components.evaluation.intervals import mean_interval
from penstock.components.schema import ROW_ID
from penstock.document.candidates import Score
from penstock.evidence.evidence import Evidence
from penstock.problems.training import Evaluated, EvaluateInput, Scores

MAX_DRAWN = 2000


def evaluate(given: EvaluateInput) -> Evaluated:
    """Separation on the test rows and stability of the winner; and what the plots need."""
    model, frame, seed = given.model, given.test.frame, given.seed
    matrix = np.asarray(model.pipeline[:-1].transform(frame))
    labels = np.asarray(model.pipeline.predict(frame))
    scores = internal_scores(matrix, labels, seed=seed)
    metrics: dict[str, Score] = {}
    shown, silhouettes = scores["silhouette_rows"], scores["silhouette_values"]
    if len(shown):
        separation = mean_interval(silhouettes, seed=seed)
        metrics["silhouette"] = Score(**separation.model_dump(), label="Silhouette", sign=1)
    if steady := given.selection.winner.stability:
        metrics["stability"] = Score(**steady.model_dump(), label="Stability (adjusted Rand)", sign=1)
    points, explained = project_2d(matrix, seed)
    drawn = shown if len(shown) else np.arange(len(frame))[:MAX_DRAWN]
    pictured = {"points_2d": points[drawn], "labels": labels[drawn], "explained_variance": explained}
    return Evaluated(
        Evidence(frame[ROW_ID].to_numpy(str), {"cluster": labels}),
        Scores(metrics=metrics),
        pictured=pictured | ({"silhouette": silhouettes} if len(shown) else {}),
    )
