"""A finished density beside groups that are known: nothing before this has seen them."""

from __future__ import annotations

from typing import Any

import pandas as pd

from penstock.model import PenstockModel, load_bundle
from penstock.problems.data import DataSplit
from penstock.problems.rows.groups import known_groups
from penstock.problems.rows.unseen_sections import KnownGroups, Usual
from penstock.problems.training import Explained, Trained
from penstock.stage import stage
from penstock.store import Ref, Store

MAX_GROUPS = 30


@stage(worker=True)
def compare_with_labels(store: Store, trained: Trained, data_split: DataSplit, truth: Ref, name: str) -> Explained:
    """How usual the rows of each group are."""
    model, frame = load_bundle(store.path(trained.model)), store.frame(data_split.test)
    groups = known_groups(frame, store.frame(truth))
    known = groups.notna().to_numpy()
    found = KnownGroups(column=name, rows=int(known.sum()), groups=int(groups.nunique()))
    if found.rows < 2:
        return Explained.of(store, found)
    usual = _usual(model, frame[known], groups[known])
    return Explained.of(store, found.model_copy(update={"usual": usual}))


def _usual(model: PenstockModel, frame: pd.DataFrame, groups: pd.Series[Any]) -> list[Usual]:
    """The rarest group first."""
    scored = model.score_frame(frame, enforce=False).assign(group=groups.to_numpy())
    of_group = scored.groupby("group").agg(
        rows=("outlier", "size"), log_density=("log_density", "median"), rare=("outlier", "mean")
    )
    rarest = of_group.sort_values("log_density").head(MAX_GROUPS)
    return [
        Usual(group=str(name), rows=float(row["rows"]), log_density=float(row["log_density"]), rare=float(row["rare"]))
        for name, row in rarest.iterrows()
    ]
