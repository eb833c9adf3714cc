"""Say what the clusters are, in the words of the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.clustering.describe import profile
from penstock.components.clustering.members import Members, members
from penstock.components.clustering.naming import name_clusters
from penstock.components.schema import ROW_ID
from penstock.model import load_bundle
from penstock.problems.clustering.sections import Cluster, Clusters, Member
from penstock.problems.clustering.selection import ClusterSelection
from penstock.problems.data import DataSplit
from penstock.problems.rows.cells import plain
from penstock.problems.training import Explained, Trained
from penstock.stage import stage
from penstock.store import Ref, Store


@stage(worker=True)
def describe_clusters(
    store: Store, trained: Trained, data_split: DataSplit, evidence: Ref[ClusterSelection], seed: int
) -> Explained:
    """Size, centre, spread, members, name and stability of each cluster of the training rows."""
    bundle = load_bundle(store.path(trained.model))
    frame = store.frame(data_split.train)
    labels = np.asarray(bundle.pipeline.predict(frame))
    clusters = profile(frame, bundle.schema, labels)
    scores = store.facts(evidence).winning_fit.scores
    steady = scores.by_cluster if scores else {}
    found = members(np.asarray(bundle.pipeline[:-1].transform(frame)), labels, seed=seed)
    columns = [column.name for column in bundle.schema.features]
    nobody = Members([], [])
    described = []
    for cluster, name in zip(clusters, name_clusters(clusters), strict=True):
        number = cluster["cluster"]
        rows = found.get(number, nobody)._asdict().items()
        shown = {kind: [_member(frame.iloc[row], columns) for row in some] for kind, some in rows}
        interval = steady[number].model_dump() if number in steady else None
        described.append(Cluster.model_validate({**cluster, "name": name, "stability": interval, **shown}))
    return Explained.of(store, Clusters(described))


def _member(row: pd.Series[Any], columns: list[str]) -> Member:
    return Member(id=str(row[ROW_ID]), values={name: plain(row[name]) for name in columns})
