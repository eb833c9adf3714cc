"""A finished reduction beside groups that are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.neighbors import NearestNeighbors

from penstock.components.evaluation.intervals import mean_interval
from penstock.components.plots.output import to_svg
from penstock.components.plots.reduction_and_density import reduced_map
from penstock.model import load_bundle
from penstock.problems.data import Parts
from penstock.problems.rows.unsupervised.known_groups import known_groups
from penstock.problems.training import Explained, Trained
from penstock.stage import stage
from penstock.store import Ref, Store


@stage(worker=True, libraries=("matplotlib",))
def compare_with_groups(store: Store, trained: Trained, parts: Parts, truth: Ref, name: str, seed: int) -> Explained:
    """Whether nearest rows are of one group, before and after."""
    bundle, known = load_bundle(store.path(trained.model)), known_groups(store, parts.test, truth)
    facts: dict[str, Any] = {"column": name, "rows": len(known.frame), "groups": known.groups}
    if len(known.frame) < 2:
        return Explained(facts=store.put_facts(facts), figures=store.put_facts({}))
    reduced = bundle.score_frame(known.frame, enforce=False)
    everything = np.asarray(bundle.pipeline[:-1].transform(known.frame))
    facts["neighbours"] = _same(reduced.to_numpy(), known.of_rows, seed)
    facts["neighbours_before"] = _same(everything, known.of_rows, seed)
    drawn = reduced_map(reduced.to_numpy(), list(reduced.columns), known.of_rows.tolist())
    return Explained(facts=store.put_facts(facts), figures=store.put_facts({"known_map": to_svg(drawn)}))


def _same(points: np.ndarray[Any, Any], groups: pd.Series[Any], seed: int) -> dict[str, Any]:
    """The share of rows whose nearest other row is of the same group."""
    nearest = NearestNeighbors(n_neighbors=1).fit(points).kneighbors(return_distance=False)[:, 0]
    codes = pd.factorize(groups)[0]
    return mean_interval((codes[nearest] == codes).astype(float), seed=seed).model_dump()
