"""A finished reduction beside groups that are known: nothing before this has seen them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.neighbors import NearestNeighbors

from penstock.components.evaluation.intervals import mean_interval
from penstock.components.plots.output import to_svg
from penstock.components.plots.reduction_and_density import reduced_map
from penstock.document.facts import Interval
from penstock.model import load_bundle
from penstock.problems.data import DataSplit
from penstock.problems.rows.groups import known_groups
from penstock.problems.rows.unseen_sections import KnownGroups
from penstock.problems.training import Explained, Trained
from penstock.stage import stage
from penstock.store import Ref, Store


@stage(worker=True, libraries=("matplotlib",))
def compare_with_labels(
    store: Store, trained: Trained, data_split: DataSplit, truth: Ref, name: str, seed: int
) -> Explained:
    """Whether nearest rows are of one group, in the new columns and in those before."""
    model, frame = load_bundle(store.path(trained.model)), store.frame(data_split.test)
    groups = known_groups(frame, store.frame(truth))
    known = groups.notna().to_numpy()
    found = KnownGroups(column=name, rows=int(known.sum()), groups=int(groups.nunique()))
    if found.rows < 2:
        return Explained.of(store, found)
    frame, groups = frame[known], groups[known]
    reduced = model.score_frame(frame, enforce=False)
    everything = np.asarray(model.pipeline[:-1].transform(frame))
    shares = {
        "neighbours": _same(reduced.to_numpy(), groups, seed),
        "neighbours_before": _same(everything, groups, seed),
    }
    drawn = reduced_map(reduced.to_numpy(), list(reduced.columns), groups.tolist())
    return Explained.of(store, found.model_copy(update=shares), {"known_map": to_svg(drawn)})


def _same(points: np.ndarray[Any, Any], groups: pd.Series[Any], seed: int) -> Interval:
    """The share of rows whose nearest other row is of the same group."""
    nearest = NearestNeighbors(n_neighbors=1).fit(points).kneighbors(return_distance=False)[:, 0]
    codes = pd.factorize(groups)[0]
    return Interval(**mean_interval((codes[nearest] == codes).astype(float), seed=seed).model_dump())
