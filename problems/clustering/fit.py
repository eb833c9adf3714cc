"""Fit one clustering candidate."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components import catalog
from penstock.components.clustering.choice import likelihood_counts
from penstock.components.clustering.scores import internal_scores
from penstock.components.clustering.stability import stability
from penstock.components.dissimilarity.levels import comparing_columns
from penstock.problems.fits import FitRequest
from penstock.stage import progress
from penstock.store import Ref, Store

MAX_RESAMPLED = 5000
MAX_KEPT = 500  # labels that go with every candidate, to see where candidates agree


def fit(store: Store, problem: str, request: FitRequest) -> Ref:
    """Fit a clustering candidate; its internal scores and its stability under resampling."""
    candidate, prepared, seed = request.candidate, request.prepared, request.seed
    matrix = np.asarray(store.matrix(prepared.train))
    model = catalog.build(candidate.name, candidate.parameters, seed=seed, problem="clustering")
    model = comparing_columns(model, store.facts(prepared.names))
    labels = np.asarray(model.fit(matrix).predict(matrix))
    progress(fits=1)
    scores = internal_scores(matrix, labels, estimator=model, seed=seed)
    if not likelihood_counts(matrix):
        scores |= {"neg_bic": None, "neg_aic": None}
    drawn = sampled(len(labels), seed, MAX_RESAMPLED)
    steady = stability(model, matrix[drawn], labels[drawn], seed=seed)
    plain = {name: scores[name] for name in scores if not isinstance(scores[name], np.ndarray)}
    by_cluster = {str(cluster): found for cluster, found in zip(steady.clusters, steady.per_cluster, strict=True)}
    sample = labels[sampled(len(labels), seed, MAX_KEPT)]
    told = {"stability": steady.overall, "steady": by_cluster, "sample": sample.tolist()}
    return store.put_facts({**plain, **told})


def sampled(rows: int, seed: int, most: int) -> np.ndarray[Any, Any]:
    """Positions of so many rows at most, the same for every candidate."""
    return np.sort(np.random.default_rng(seed).permutation(rows)[:most])
