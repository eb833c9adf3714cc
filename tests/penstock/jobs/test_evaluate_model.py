"""Judging a model: the same losses on rows it learnt from and on rows it never saw."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge

from penstock.components.preprocessing.plan import make_plan
from penstock.components.schema import infer_schema
from penstock.jobs import evaluate_model, train_model
from penstock.model import load_bundle
from penstock.store import Store


@pytest.mark.covers("proc_loss_then_out_of_sample", "met_empirical_expected_loss")
def test_in_sample_and_out_of_sample_values_are_of_the_same_loss(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 3))
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=X @ [1.0, -2.0, 0.5] + rng.normal(size=60))
    learning, test = frame[:40], frame[40:].reset_index(drop=True)
    store, schema = Store(tmp_path), infer_schema(frame, problem="regression", target="y")
    columns = {name: {"missing": 0.0, "distinct": 60} for name in "abc"}
    settings = {"impute": ("median", {}), "scale": ("none", {}), "rare": 0.01, "text_components": 5}
    model = train_model.work(
        store,
        lambda _: None,
        plan=store.put_facts(make_plan(schema, columns, **settings)),
        learning=store.put_frame(learning),
        folds=store.put_arrays(y=learning["y"].to_numpy()),
        winner=store.put_facts({"name": "ridge", "parameters": {}}),
        schema_=store.put_facts(schema),
        contract=store.put_facts({"version": 1, "rules": [], "not_compiled": []}),
        card={},
        seed=0,
    )
    facts, _ = evaluate_model.work(
        store, lambda _: None, model=model, rows=store.put_frame(test), learning=store.put_frame(learning), seed=0
    )
    scores = store.facts(facts)
    assert type(load_bundle(store.path(model)).pipeline[-1]) is Ridge  # no rule was asked for
    expected = Ridge().fit(X[:40], learning["y"])
    losses = [float(np.sqrt(np.mean((part["y"] - expected.predict(part[[*"abc"]].to_numpy())) ** 2)))
              for part in (learning, test)]  # fmt: skip
    assert scores["in_sample"]["neg_root_mean_squared_error"] == pytest.approx(-losses[0])
    assert scores["metrics"]["neg_root_mean_squared_error"]["value"] == pytest.approx(-losses[1])
    assert scores["in_sample"].keys() == scores["metrics"].keys()
