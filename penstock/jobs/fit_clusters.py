"""Fit one clustering candidate."""

from __future__ import annotations

import numpy as np

from penstock.components import catalog
from penstock.components.clustering.scores import internal_scores
from penstock.components.clustering.stability import stability
from penstock.components.search.candidates import Candidate
from penstock.jobs import Prepared, Progress
from penstock.store import Ref, Store


def work(store: Store, progress: Progress, candidate: Candidate, prepared: Prepared, seed: int) -> Ref:
    """Fit a clustering candidate; its internal scores and its stability under resampling."""
    matrix = np.asarray(store.matrix(prepared.train))
    model = catalog.build(candidate.name, candidate.parameters, seed=seed, problem="clustering")
    labels = np.asarray(model.fit(matrix).predict(matrix))
    progress({"fits": 1})
    scores = internal_scores(matrix, labels, estimator=model, seed=seed)
    steady = stability(model, matrix, labels, seed=seed)
    plain = {name: scores[name] for name in scores if not isinstance(scores[name], np.ndarray)}
    return store.put_facts({**plain, "stability": steady.overall, "clusters": steady.per_cluster})
