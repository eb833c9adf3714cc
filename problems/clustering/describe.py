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
from penstock.problems.clustering.selection import ClusterSelection
from penstock.problems.data import Parts
from penstock.problems.training import Explained, Trained
from penstock.stage import stage
from penstock.store import Ref, Store


@stage(worker=True)
def describe_clusters(store: Store, trained: Trained, parts: Parts, evidence: Ref, seed: int) -> Explained:
    """Size, centre, spread, members, name and stability of each cluster of the training rows."""
    bundle = load_bundle(store.path(trained.model))
    frame = store.frame(parts.learning)
    labels = np.asarray(bundle.pipeline.predict(frame))
    clusters = profile(frame, bundle.schema, labels)
    scores = store.facts(evidence, ClusterSelection).winning_fit.scores
    steady = scores.by_cluster if scores else {}
    found = members(np.asarray(bundle.pipeline[:-1].transform(frame)), labels, seed=seed)
    columns = [column.name for column in bundle.schema.features]
    nobody = Members([], [])
    for cluster, name in zip(clusters, name_clusters(clusters), strict=True):
        number = cluster["cluster"]
        cluster |= {"name": name, "stability": steady.get(number)}
        for kind, rows in found.get(number, nobody)._asdict().items():
            cluster[kind] = [_member(frame.iloc[row], columns) for row in rows]
    return Explained(facts=store.put_facts(clusters), figures=store.put_facts({}))


def _member(row: pd.Series[Any], columns: list[str]) -> dict[str, Any]:
    values = {name: None if pd.isna(row[name]) else _plain(row[name]) for name in columns}
    return {"id": str(row[ROW_ID]), "values": values}


def _plain(value: Any) -> Any:
    if isinstance(value, pd.Timestamp):
        return value.date().isoformat()
    return value.item() if hasattr(value, "item") else value
