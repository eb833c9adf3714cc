"""Explaining a model: from rows drawn at random, whatever their order in the file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from penstock.components.preprocessing.plan import make_plan
from penstock.components.schema import infer_schema
from penstock.evidence.folds import Folds
from penstock.problems.rows.supervised.explain import explain
from penstock.problems.training import Trained
from penstock.store import Store
from tests.stages import rows_of, train


@pytest.mark.slow
def test_curves_of_sorted_rows_are_those_of_all_rows(tmp_path: Path) -> None:
    """Rows are sorted by month and by size: the first hundred are small ones of May."""
    rng = np.random.default_rng(0)
    months = np.repeat(["may", "jun", "jul", "aug"], 200)
    frame = pd.DataFrame({"month": months, "size": np.sort(rng.normal(size=800)), "noise": rng.normal(size=800)})
    frame["y"] = 3 * frame["size"] + (frame["month"] == "aug") * 2 + rng.normal(scale=0.1, size=800)
    learning, test = (frame.iloc[start::2].reset_index(drop=True) for start in (0, 1))
    store, schema = Store(tmp_path), infer_schema(frame, problem="regression", target_type="quantity", target="y")
    columns = {name: {"missing": 0.0, "distinct": 4} for name in ("month", "size", "noise")}
    settings = {"impute": ("median", {}), "scale": ("none", {}), "rare": 0.01, "text_components": 5}
    model = train(
        store,
        "regression",
        plan=store.put_facts(make_plan(schema, columns, **settings)),
        train=store.put_frame(learning),
        folds=Folds(learning["y"].to_numpy()).save(store),
        winner=store.put_facts({"name": "ridge", "parameters": {}}),
        schema_=store.put_facts(schema),
        contract=store.put_facts({"version": 1, "rules": [], "not_compiled": []}),
        seed=0,
    )
    unseen = store.put_frame(test)
    explained = explain.function(
        store, Trained(model=model, ids=unseen), rows_of(store, store.put_frame(learning), unseen),
        metric_name=None, slices=[], fairness_of=[], shap=False, seed=0,
    )  # fmt: skip
    curves = {one["column"]: one for one in store.facts(explained.facts.holding(object))["dependence"]}
    assert set(curves["month"]["grid"]) == {"may", "jun", "jul", "aug"}
    assert (curves["size"]["grid"][0], curves["size"]["grid"][-1]) == (test["size"].min(), test["size"].max())
    assert abs(np.mean(curves["month"]["curves"][0]["mean"]) - test["y"].mean()) < 1.5  # of May alone it is below -3
