"""Costs, thresholds, calibration and coverage through whole runs, as plain functions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

import penstock
from penstock.comparison import Told
from penstock.components.evaluation.metrics import metric
from penstock.components.schema import ROW_ID
from penstock.errors import ModelError, UsageError
from penstock.flows.supervised import supervised
from penstock.settings import Settings
from penstock.tracking import Tracking
from tests.small import classification, regression

ALL = {
    "costs": {"false_positive": 1, "false_negative": 4},
    "threshold": "tune",
    "calibrate": "sigmoid",
    "coverage": 0.9,
}


def run(pipeline: Path) -> dict[str, Any]:
    Settings.from_environment().apply()
    return supervised.fn(str(pipeline), engine="plain")


@pytest.mark.slow
@pytest.mark.covers("proc_threshold_tuning", "proc_final_test_once")
def test_a_model_decides_as_asked_and_test_rows_have_no_say(tmp_path: Path, home: Path) -> None:
    pipeline = classification(tmp_path, rows=500, decision=ALL)
    document = run(pipeline)
    chosen = document["decision"]["threshold"]
    assert document["metric"] == "neg_cost"
    assert next(iter(document["metrics"])) == "neg_cost"
    assert chosen["why"] == "tuned"
    assert 0 < chosen["value"] < 0.5
    assert document["decision"]["costs"] == [[0, 1], [4, 0]]
    assert document["calibration"]["before"]["error"]["value"] >= 0
    assert document["coverage"]["share"]["value"] > 0.75
    assert [stage["stage"] for stage in document["stages"]].count("evaluate") == 1
    assert document["selection"]["winners_judged"] == 1

    told = Told(home, document["run"]["id"])
    test_rows, arrays = told.judged()
    y, prediction = arrays["y"], arrays["prediction"]
    answers = (prediction[:, 1] > chosen["value"]).astype(int)
    assert np.array_equal(arrays["answers"], answers)
    cost = metric("neg_cost:0,1,4,0", "classification", 2)
    assert document["metrics"]["neg_cost"]["value"] == cost.function(y, np.eye(2)[answers])
    f1 = metric("f1", "classification", 2)
    assert document["metrics"]["f1"]["value"] == f1.function(y, np.eye(2)[answers])
    assert document["quality"]["matrix"] == [
        [int(((y == true) & (answers == answer)).sum()) for answer in (0, 1)] for true in (0, 1)
    ]

    model = penstock.load("small@champion")
    rows = pd.read_csv(tmp_path / "data.csv")
    probability = model.predict_proba(rows)["yes"]
    assert (model.predict(rows) == np.where(probability > chosen["value"], "yes", "no")).all()
    sets = model.predict_sets(rows)
    assert list(sets.columns) == ["no", "yes"]
    assert sets.any(axis=1).all()
    assert list(model.score_frame(rows).columns) == [
        "prediction", "probability_no", "probability_yes", "maybe_no", "maybe_yes",
    ]  # fmt: skip
    with pytest.raises(ModelError, match="predict_interval is for a regression"):
        model.predict_interval(rows)

    logged = Tracking(f"sqlite:///{home / 'mlflow.db'}", home).client.get_run(document["run"]["mlflow_run"]).data
    assert logged.metrics["threshold"] == pytest.approx(chosen["value"])
    assert logged.metrics["coverage"] == document["coverage"]["share"]["value"]
    assert {"neg_cost", "calibration_error", "calibration_error_low"} <= logged.metrics.keys()
    page = Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    assert all(f'id="figure-{name}"' in page for name in ("threshold_choice", "before_and_after"))
    assert "The test rows had no say in it." in page

    # Every label of the test rows the other way round: the same threshold, by the same record.
    turned = rows["id"].astype(str).isin(test_rows[ROW_ID])
    rows.loc[turned, "left"] = rows.loc[turned, "left"].map({"yes": "no", "no": "yes"})
    rows.to_csv(tmp_path / "data.csv", index=False)
    again = run(pipeline)
    assert again["decision"] == document["decision"]
    assert again["metrics"]["neg_cost"]["value"] != document["metrics"]["neg_cost"]["value"]
    assert {stage["stage"]: stage["state"] for stage in again["stages"]}["decide"] == "cached"
    # Of equal models, the gate sees the costs.
    assert again["verdict"]["difference"]["value"] == 0


@pytest.mark.slow
def test_without_a_decision_nothing_is_wrapped(tmp_path: Path, home: Path) -> None:
    document = run(classification(tmp_path, rows=200, search={"metric": "f_beta:2"}))
    assert document["decision"] is None
    assert document["metric"] == next(iter(document["metrics"])) == "f_beta:2"
    assert document["calibration"]["error"]["low"] <= document["calibration"]["error"]["value"]
    assert "decide" not in [stage["stage"] for stage in document["stages"]]
    model = penstock.load("small@champion")
    assert type(model.pipeline[-1]).__name__ == "LogisticRegression"
    assert "objective" not in model.card
    rows = pd.read_csv(tmp_path / "data.csv")
    with pytest.raises(ModelError, match="not asked for a coverage") as caught:
        model.predict_sets(rows)
    assert caught.value.code == "PEN506"


@pytest.mark.slow
def test_a_regression_with_intervals(tmp_path: Path, home: Path) -> None:
    document = run(regression(tmp_path, decision={"coverage": 0.8}, search={"metric": "neg_median_absolute_error"}))
    reach = document["decision"]["coverage"]["reach"]
    assert document["coverage"]["size"] == pytest.approx(2 * reach)
    low, high = (document["coverage"]["share"][end] for end in ("low", "high"))
    assert low < 0.8 < high
    model = penstock.load("amount@champion")
    rows = pd.read_csv(tmp_path / "data.csv")
    ends = model.predict_interval(rows)
    assert list(ends.columns) == ["low", "high"]
    assert (ends.mean(axis=1) - model.predict(rows)).abs().max() < 1e-9
    assert list(model.score_frame(rows).columns) == ["prediction", "low", "high"]
    assert 'id="figure-prediction_intervals"' in Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    assert json.dumps(document)


def two_of_many(folder: Path) -> None:
    """Make the plan the target: three classes."""
    rows = pd.read_csv(folder / "data.csv").rename(columns={"left": "plan", "plan": "left"})
    rows.to_csv(folder / "data.csv", index=False)


@pytest.mark.parametrize(
    ("rows", "decision", "many", "code", "what", "remedy"),
    [
        (120, {"threshold": 0.3}, True, "PEN033", "the target has 3", "leave it out"),
        (120, {"costs": {"yess": {"no": 3}}}, False, "PEN030", "'yess' is not a class", "did you mean 'yes'?"),
        (120, {"calibrate": "isotonic"}, False, "PEN034", "needs 50 rows of every class", "`calibrate: sigmoid`"),
        (60, {"coverage": 0.99}, False, "PEN035", "needs 99 rows", "ask for 0.9"),
    ],
    ids=["threshold", "costs", "isotonic", "coverage"],
)
def test_what_the_data_cannot_give_is_refused_before_the_search(
    tmp_path: Path, home: Path, rows: int, decision: Any, many: bool, code: str, what: str, remedy: str
) -> None:
    pipeline = classification(tmp_path, rows=rows, decision=decision)
    if many:
        two_of_many(tmp_path)
        document = yaml.safe_load(pipeline.read_text())
        del document["data"]["positive"]
        pipeline.write_text(yaml.safe_dump(document))
    with pytest.raises(UsageError) as caught:
        run(pipeline)
    assert caught.value.code == code
    assert what in caught.value.what
    assert remedy in caught.value.remedy
