"""Fit one clustering candidate."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components import catalog
from penstock.components.clustering.choice import likelihood_counts
from penstock.components.clustering.metrics import internal_scores
from penstock.components.clustering.stability import stability
from penstock.components.dissimilarity.levels import comparing_columns
from penstock.evidence.evidence import Evidence
from penstock.problems.clustering.scores import ClusterScores
from penstock.problems.fits import FitInput, FitResult
from penstock.stage import progress

MAX_RESAMPLED = 5000
MAX_KEPT = 500  # labels that go with every candidate, to see where candidates agree

Array = np.ndarray[Any, Any]


def fit(given: FitInput) -> FitResult:
    """Clusters of some of the rows; internal scores and stability of all."""
    candidate, seed, matrix = given.settings.candidate, given.settings.seed, given.matrices.train
    model = catalog.build(candidate.name, candidate.parameters, seed=seed, problem=given.problem)
    model = comparing_columns(model, given.matrices.names)
    labels = np.asarray(model.fit(matrix).predict(matrix))
    progress(fits=1)
    scores = internal_scores(matrix, labels, estimator=model, seed=seed)
    if not likelihood_counts(matrix):
        scores |= {"neg_bic": None, "neg_aic": None}
    drawn = sampled(len(labels), seed, MAX_RESAMPLED)
    steady = stability(model, matrix[drawn], labels[drawn], seed=seed)
    found = ClusterScores(
        **{name: scores[name] for name in ClusterScores.model_fields if name in scores},
        stability=steady.overall,
        by_cluster=dict(zip(steady.clusters, steady.per_cluster, strict=True)),
    )
    kept = sampled(len(labels), seed, MAX_KEPT)
    return FitResult(Evidence(kept, {"cluster": labels[kept]}), facts=found)


def sampled(rows: int, seed: int, most: int) -> Array:
    """Positions of so many rows at most, the same for every candidate."""
    return np.sort(np.random.default_rng(seed).permutation(rows)[:most])
