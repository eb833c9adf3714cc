"""A finished density beside groups that are known."""

from __future__ import annotations

from typing import Any

import pandas as pd

from penstock.model import PenstockModel, load_bundle
from penstock.problems.data import Parts
from penstock.problems.rows.unsupervised.known_groups import known_groups
from penstock.problems.training import Explained, Trained
from penstock.stage import stage
from penstock.store import Ref, Store

MAX_GROUPS = 30


@stage(worker=True)
def compare_with_groups(store: Store, trained: Trained, parts: Parts, truth: Ref, name: str, seed: int) -> Explained:
    """How usual the rows of each group are."""
    bundle, known = load_bundle(store.path(trained.model)), known_groups(store, parts.test, truth)
    facts: dict[str, Any] = {"column": name, "rows": len(known.frame), "groups": known.groups}
    if len(known.frame) >= 2:
        facts["usual"] = _usual(bundle, known.frame, known.of_rows)
    return Explained(facts=store.put_facts(facts), figures=store.put_facts({}))


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
