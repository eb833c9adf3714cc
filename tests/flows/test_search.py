"""Every strategy and every recipe through a whole run, as plain functions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.errors import UsageError
from penstock.flows.supervised import supervised
from penstock.flows.unsupervised import unsupervised
from penstock.settings import Settings
from penstock.tracking import Tracking
from tests.small import classification, clusters, regression


def run(pipeline: Path) -> dict[str, Any]:
    Settings.from_environment().apply()
    return supervised.fn(str(pipeline), engine="plain").as_json()


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["halving", "tpe"])
def test_a_strategy_that_learns_from_scores(tmp_path: Path, home: Path, strategy: str) -> None:
    search = {"strategy": strategy, "fits": 15, "batch": 4}
    document = run(regression(tmp_path, rows=400, models=["decision-tree", "ridge"], search=search))
    assert document["winner"]["name"] == "ridge"
    finished = [candidate for candidate in document["candidates"] if candidate["status"] == "finished"]
    assert len(finished) >= 2
    assert len({candidate["label"] for candidate in document["candidates"]}) == len(document["candidates"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "split"),
    [
        (20, {"recipe": "leave-one-out"}),
        (90, {"recipe": "out-of-bag", "folds": 4}),
        (90, {"recipe": "resampling-and-test", "folds": 4}),
    ],
    ids=["leave-one-out", "out-of-bag", "resampling"],
)
def test_a_recipe(tmp_path: Path, home: Path, rows: int, split: dict[str, Any]) -> None:
    """By the default metric, which a single row does not define."""
    models = [{"logistic-regression": {"C": [0.1, 1.0]}}]
    search = {"fits": 200, "strategy": "grid"}
    document = run(classification(tmp_path, rows=rows, split=split, search=search, models=models))
    assert document["metric"] == "roc_auc"
    scores = [candidate["score"] for candidate in document["candidates"] if candidate["status"] == "finished"]
    assert all(0 <= score <= 1 for score in scores)
    assert document["data"]["train_rows"] + document["data"]["test_rows"] == rows


@pytest.mark.slow
def test_a_split_by_time_with_a_gap(tmp_path: Path, home: Path) -> None:
    pipeline = classification(tmp_path, rows=200, split={"gap": "30d"}, data={"columns": {"since": "time"}})
    document = run(pipeline)
    assert document["data"]["train_rows"] + document["data"]["test_rows"] < 200
    assert {column["name"]: column["role"] for column in document["data"]["schema"]}["since"] == "time"


@pytest.mark.slow
def test_few_groups(tmp_path: Path, home: Path) -> None:
    """One group in each evaluating part tells nothing of chance: nobody is ended early by it."""
    pipeline = classification(tmp_path, rows=120, data={"group": "ward"}, split={"folds": 8}, search={"fits": 24})
    table = pd.read_csv(tmp_path / "data.csv")
    table.assign(ward=np.arange(120) % 12).to_csv(tmp_path / "data.csv", index=False)
    assert {candidate["status"] for candidate in run(pipeline)["candidates"]} == {"finished"}


@pytest.mark.slow
@pytest.mark.covers("proc_benchmark_split")
def test_a_published_split_is_kept_and_its_column_is_no_feature(tmp_path: Path, home: Path) -> None:
    given = {"column": "part", "test": "test"}
    pipeline = classification(tmp_path, rows=120, split={"given": given}, data={"columns": {"part": "nominal"}})
    table = pd.read_csv(tmp_path / "data.csv")
    table.assign(part=np.where(np.arange(120) < 90, "train", "test")).to_csv(tmp_path / "data.csv", index=False)
    document = run(pipeline)
    assert (document["data"]["train_rows"], document["data"]["test_rows"]) == (90, 30)
    tracking = Tracking(Settings.from_environment().tracking_uri)
    learnt = tracking.fetch(document["run"]["mlflow_run"], "training_ids.parquet", tmp_path / "fetched")
    assert sorted(pd.read_parquet(learnt).iloc[:, 0]) == sorted(f"r{number}" for number in range(90))
    assert {column["name"]: column["role"] for column in document["data"]["schema"]}["part"] == "ignore"


@pytest.mark.parametrize("strategy", ["halving", "tpe"])
def test_clusterings_have_no_one_score_to_follow(tmp_path: Path, home: Path, strategy: str) -> None:
    with pytest.raises(UsageError, match="which a clustering does not have") as caught:
        unsupervised.fn(str(clusters(tmp_path, search={"strategy": strategy})), engine="plain")
    assert caught.value.code == "PEN025"
