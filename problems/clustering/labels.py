"""Compare the finished answer with a grouping that is known: nothing before this has seen it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import adjusted_rand_score

from penstock.components.evaluation.intervals import percentiles
from penstock.components.plots.agreement import contingency
from penstock.components.plots.output import to_svg
from penstock.components.structure.external import external_scores
from penstock.model import load_bundle
from penstock.problems.clustering.sections import Truth
from penstock.problems.data import DataSplit
from penstock.problems.rows.groups import known_groups
from penstock.problems.training import Explained, Trained
from penstock.stage import stage
from penstock.store import Ref, Store

RESAMPLES = 200
CONFIDENCE = 0.95


@stage(worker=True, libraries=("matplotlib",))
def compare_with_labels(
    store: Store, trained: Trained, data_split: DataSplit, truth: Ref, name: str, seed: int
) -> Explained:
    """External scores of the clusters of the test rows; and the picture of which cluster holds which group."""
    frame = store.frame(data_split.test)
    labels = np.asarray(load_bundle(store.path(trained.model)).pipeline.predict(frame))
    groups = known_groups(frame, store.frame(truth))
    known = groups.notna().to_numpy()
    if not known.any():
        return Explained.of(store, Truth(column=name, rows=0))
    scores = external_scores(labels, groups).model_dump()
    agreement = percentiles(scores["adjusted_rand"], _agreements(labels[known], groups[known], seed), CONFIDENCE)
    table = pd.crosstab(labels[known], groups[known].to_numpy())
    drawn = contingency(table.to_numpy(), list(table.index), list(table.columns), names=("Cluster", name))
    found = Truth.model_validate({"column": name, **scores, "agreement": agreement.model_dump()})
    return Explained.of(store, found, {"contingency": to_svg(drawn)})


def _agreements(labels: np.ndarray[Any, Any], groups: pd.Series[Any], seed: int) -> np.ndarray[Any, Any]:
    codes = pd.factorize(groups)[0]
    drawn = np.random.default_rng(seed).integers(len(labels), size=(RESAMPLES, len(labels)))
    return np.array([adjusted_rand_score(codes[rows], labels[rows]) for rows in drawn])
