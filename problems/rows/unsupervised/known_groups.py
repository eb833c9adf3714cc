"""A finished reduction or density beside groups that are known: nothing before this has seen them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.neighbors import NearestNeighbors

from penstock.components.evaluation.intervals import mean_interval
from penstock.components.plots.output import to_svg
from penstock.components.plots.reduction_and_density import reduced_map
from penstock.components.schema import ROW_ID
from penstock.model import PenstockModel, load_bundle
from penstock.problems.data import Parts
from penstock.problems.training import Explained, Trained
from penstock.stage import stage
from penstock.store import Ref, Store

MAX_GROUPS = 30


@stage(worker=True, libraries=("matplotlib",))
def judge_by_known(store: Store, trained: Trained, parts: Parts, truth: Ref, name: str, seed: int) -> Explained:
    """Of a reduction, whether nearest rows are of one group; of a density, how usual the rows of each group are."""
    bundle, frame = load_bundle(store.path(trained.model)), store.frame(parts.test)
    groups = frame[[ROW_ID]].merge(store.frame(truth), on=ROW_ID, how="left")["truth"]
    known = groups.notna().to_numpy()
    facts: dict[str, Any] = {"column": name, "rows": int(known.sum()), "groups": int(groups.nunique())}
    if facts["rows"] < 2:
        return Explained(facts=store.put_facts(facts), figures=store.put_facts({}))
    frame, groups = frame[known], groups[known]
    if bundle.schema.problem == "density":
        return Explained(
            facts=store.put_facts({**facts, "usual": _usual(bundle, frame, groups)}), figures=store.put_facts({})
        )
    reduced = bundle.score_frame(frame, enforce=False)
    everything = np.asarray(bundle.pipeline[:-1].transform(frame))
    facts["neighbours"] = _same(reduced.to_numpy(), groups, seed)
    facts["neighbours_before"] = _same(everything, groups, seed)
    drawn = reduced_map(reduced.to_numpy(), list(reduced.columns), groups.tolist())
    return Explained(facts=store.put_facts(facts), figures=store.put_facts({"known_map": to_svg(drawn)}))


def _same(points: np.ndarray[Any, Any], groups: pd.Series[Any], seed: int) -> dict[str, Any]:
    """The share of rows whose nearest other row is of the same group."""
    nearest = NearestNeighbors(n_neighbors=1).fit(points).kneighbors(return_distance=False)[:, 0]
    codes = pd.factorize(groups)[0]
    return mean_interval((codes[nearest] == codes).astype(float), seed=seed).model_dump()


def _usual(bundle: PenstockModel, frame: pd.DataFrame, groups: pd.Series[Any]) -> list[dict[str, Any]]:
    """The rarest group first."""
    scored = bundle.score_frame(frame, enforce=False).assign(group=groups.to_numpy())
    told = scored.groupby("group").agg(
        rows=("outlier", "size"), log_density=("log_density", "median"), rare=("outlier", "mean")
    )
    told = told.sort_values("log_density").head(MAX_GROUPS)
    return [
        {"group": str(name), **{str(key): float(value) for key, value in row.items()}} for name, row in told.iterrows()
    ]
