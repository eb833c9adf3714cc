"""Evaluating a model: the same losses on rows it was trained on and on rows it never saw."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline

from penstock.components.preprocessing.plan import make_plan
from penstock.components.schema import encode_target, infer_schema
from penstock.errors import DataError
from penstock.evidence.evidence import Evidence
from penstock.evidence.folds import Folds
from penstock.model import load_bundle, save_bundle
from penstock.problems.rows.supervised.decide import decide
from penstock.spec.decision import Decision
from penstock.store import Store
from tests.stages import evaluate, train


@pytest.mark.covers("proc_loss_then_out_of_sample", "met_empirical_expected_loss")
def test_in_sample_and_out_of_sample_values_are_of_the_same_loss(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 3))
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=X @ [1.0, -2.0, 0.5] + rng.normal(size=60))
    learning, test = frame[:40], frame[40:].reset_index(drop=True)
    store, schema = Store(tmp_path), infer_schema(frame, problem="regression", target_type="quantity", target="y")
    columns = {name: {"missing": 0.0, "distinct": 60} for name in "abc"}
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
    scores, _, _ = evaluate(
        store, "regression", model=model, rows=store.put_frame(test), train=store.put_frame(learning), seed=0
    )
    assert isinstance(load_bundle(store.path(model)).pipeline[-1], Ridge)  # no rule was asked for
    expected = Ridge().fit(X[:40], learning["y"])
    losses = [float(np.sqrt(np.mean((part["y"] - expected.predict(part[[*"abc"]].to_numpy())) ** 2)))
              for part in (learning, test)]  # fmt: skip
    assert scores.in_sample["neg_root_mean_squared_error"] == pytest.approx(-losses[0])
    assert scores.metrics["neg_root_mean_squared_error"].value == pytest.approx(-losses[1])
    assert scores.in_sample.keys() == scores.metrics.keys()


@pytest.mark.slow
def test_a_rule_of_three_classes_is_judged_by_its_answers(tmp_path: Path) -> None:
    """A class that no training row has keeps its place: its rows are never answered rightly, nor covered."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    word = np.array(["a", "b", "c"])[
        np.argmax(np.column_stack([X, -X.sum(axis=1)]) + rng.normal(size=(400, 3)), axis=1)
    ]
    frame = pd.DataFrame(X, columns=["u", "v"]).assign(y=word)
    frame.loc[390:, "y"] = "d"
    learning, test = frame[:300].reset_index(drop=True), frame[300:].reset_index(drop=True)
    store, schema = Store(tmp_path), infer_schema(frame, problem="classification", target_type="classes", target="y")
    columns = {name: {"missing": 0.0, "distinct": 400} for name in "uv"}
    settings = {"impute": ("median", {}), "scale": ("none", {}), "rare": 0.01, "text_components": 5}
    y = encode_target(learning["y"], schema)
    unseen = cross_val_predict(LogisticRegression(), learning[["u", "v"]], y, method="predict_proba")
    folds = Folds(y, 4).save(store)
    decided = decide.function(
        store,
        unseen=Evidence(np.arange(300), {"prediction": np.column_stack([unseen, np.zeros(300)])}, {"y": y}).save(store),
        folds=folds,
        metric_name=None,
        costs=[[0, 1, 1, 1], [1, 0, 1, 1], [30, 30, 0, 1], [1, 1, 1, 0]],
        decision=Decision(calibrate="temperature", coverage=0.8),
        seed=0,
    )
    model = train(
        store,
        "classification",
        plan=store.put_facts(make_plan(schema, columns, **settings)),
        train=store.put_frame(learning),
        folds=folds,
        winner=store.put_facts({"name": "logistic-regression", "parameters": {}}),
        schema_=store.put_facts(schema),
        contract=store.put_facts({"version": 1, "rules": [], "not_compiled": []}),
        seed=0,
        rule=decided.rule,
    )
    metrics = ["neg_cost:0,1,1,1,1,0,1,1,30,30,0,1,1,1,1,0", "top_k_accuracy:2"]
    scores, kept, made = evaluate(
        store,
        "classification",
        model=model,
        rows=store.put_frame(test),
        train=store.put_frame(learning),
        seed=0,
        metrics=metrics,
    )
    sections = {name: store.facts(facts.holding(object)) for name, facts in made.sections.items()}
    truth, answers = kept.y, kept.predicted["labels"]
    assert {"neg_cost", "top_k_accuracy:2", "accuracy"} <= scores.metrics.keys()
    assert scores.metrics["accuracy"].value == np.mean(truth == answers)
    assert np.bincount(answers, minlength=4)[2] > 1.5 * (truth == 2).sum()  # dear to miss, so often answered
    assert sections["quality"]["classes"][3]["recall"] == 0
    assert np.array(sections["quality"]["matrix"]).sum() == 100
    known = truth < 3
    sets = load_bundle(store.path(model)).predict_sets(test)
    assert not sets["d"].any()
    covered = sets.to_numpy()[np.arange(100), truth]
    assert sections["coverage"]["share"]["value"] == covered.mean()
    assert covered[known].mean() == pytest.approx(0.8, abs=0.12)
    assert sections["calibration"]["of"] == "likeliest class"
    assert sections["calibration"]["before"]["error"]["value"] >= 0
    assert kept.predicted["uncalibrated"].shape == (100, 4)


def test_a_usual_metric_that_the_test_rows_do_not_define_is_left_out_unless_it_decides(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=80)}).assign(y=np.repeat(["no", "yes"], 40))
    schema = infer_schema(frame, problem="classification", target_type="classes", target="y", positive="yes")
    column = ColumnTransformer([("x", "passthrough", ["x"])])
    pipeline = make_pipeline(column, LogisticRegression()).fit(frame, np.repeat([0, 1], 40))
    store = Store(tmp_path)
    model = save_bundle(store, pipeline=pipeline, schema=schema, contract={"version": 1, "rules": []}, card={})
    parts = {"rows": store.put_frame(frame[:40]), "train": store.put_frame(frame)}  # only "no"
    scores, _, _ = evaluate(store, "classification", model=model, **parts, seed=0, metrics=["accuracy"])
    assert "accuracy" in scores.metrics
    assert "roc_auc" not in scores.metrics
    assert scores.in_sample.keys() == scores.metrics.keys()
    for asked in (["roc_auc"], None):  # None: the default metric decides
        with pytest.raises(DataError, match="ROC AUC is not defined") as caught:
            evaluate(store, "classification", model=model, **parts, seed=0, metrics=asked)
        assert caught.value.code == "PEN129"
