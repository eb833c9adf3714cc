"""Costs, thresholds, calibration and coverage through whole runs, as plain functions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import penstock
from penstock.components.evaluation.metrics import metric
from penstock.errors import ModelError
from penstock.flows.supervised import supervised
from penstock.reporting.comparison import FinishedRun
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
    return supervised.fn(str(pipeline), engine="plain").as_json()


@pytest.mark.slow
@pytest.mark.covers("proc_threshold_tuning", "proc_final_test_once")
def test_a_model_decides_as_asked_and_test_rows_have_no_say(tmp_path: Path, home: Path) -> None:
    pipeline = classification(tmp_path, rows=500, decision=ALL, evaluation={"metrics": ["recall", "f_beta:3"]})
    document = run(pipeline)
    chosen = document["decision"]["threshold"]
    assert document["metric"] == "neg_cost"
    assert chosen["why"] == "tuned"
    assert 0 < chosen["value"] < 0.5
    assert document["decision"]["costs"] == [[0, 1], [4, 0]]
    assert document["calibration"]["before"]["error"]["value"] >= 0
    assert document["coverage"]["share"]["value"] > 0.75
    assert [stage["stage"] for stage in document["stages"]].count("evaluate") == 1
    assert document["selection"]["winners_evaluated"] == 1

    evidence = FinishedRun(home, document["run"]["id"]).evidence()
    y, prediction = evidence.y, evidence.prediction
    answers = (prediction[:, 1] > chosen["value"]).astype(int)
    assert np.array_equal(evidence.predicted["labels"], answers)
    cost = metric("neg_cost:0,1,4,0", 2)
    assert document["metrics"]["neg_cost"]["value"] == cost.function(y, np.eye(2)[answers])
    f1 = metric("f1", 2)
    assert document["metrics"]["f1"]["value"] == f1.function(y, np.eye(2)[answers])
    assert document["metrics"]["recall"]["value"] == pytest.approx((answers[y == 1] == 1).mean())
    assert document["metrics"]["f_beta:3"]["label"] == "F3"
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
    turned = rows["id"].astype(str).isin(evidence.units)
    rows.loc[turned, "left"] = rows.loc[turned, "left"].map({"yes": "no", "no": "yes"})
    rows.to_csv(tmp_path / "data.csv", index=False)
    again = run(pipeline)
    assert again["decision"] == document["decision"]
    assert again["metrics"]["neg_cost"]["value"] != document["metrics"]["neg_cost"]["value"]
    assert {stage["stage"]: stage["state"] for stage in again["stages"]}["decide"] == "cached"
    # Of equal models, the gate sees the costs.
    assert again["verdict"]["difference"]["value"] == 0


@pytest.mark.slow
def test_a_regression_with_intervals(tmp_path: Path, home: Path) -> None:
    document = run(regression(tmp_path, decision={"coverage": 0.8}, search={"metric": "neg_median_absolute_error"}))
    reach = document["decision"]["coverage"]["half_width"]
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
