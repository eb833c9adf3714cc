"""The rules that tell the clusters apart."""

from __future__ import annotations

import numpy as np

from penstock.components.clustering.rules import explain_by_tree
from penstock.model import load_bundle
from penstock.problems.clustering.sections import Rules
from penstock.problems.data import DataSplit
from penstock.problems.training import Explained, Trained
from penstock.stage import stage
from penstock.store import Store


@stage(worker=True)
def explain_clusters(store: Store, trained: Trained, data_split: DataSplit, seed: int) -> Explained:
    """From the training rows; how far the rules hold is seen on the test rows."""
    bundle = load_bundle(store.path(trained.model))
    seen, unseen = (
        (frame, np.asarray(bundle.pipeline.predict(frame)))
        for frame in (store.frame(data_split.train), store.frame(data_split.test))
    )
    rules = explain_by_tree(seen, unseen, bundle.schema, seed=seed)
    return Explained.of(store, Rules.model_validate(rules) if rules else None)
