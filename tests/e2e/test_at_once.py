"""Runs that share a home and a server do not get in each other's way."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.e2e import harness
from tests.small import classification

RUNS = 8


@pytest.mark.slow
def test_eight_runs_at_once_lose_and_mix_up_nothing(tmp_path: Path, prefect_api: str, migrated_database: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(migrated_database, home / "mlflow.db")
    names = [f"crowd{number}" for number in range(RUNS)]
    processes = [
        harness.start(classification(tmp_path / name, name=name, seed=number), home, prefect_api)
        for number, name in enumerate(names)
    ]
    assert [harness.finish(process) for process in processes] == [0] * RUNS

    documents = {path.parent.name: json.loads(path.read_text()) for path in home.glob("runs/*/run.json")}
    assert sorted(document["name"] for document in documents.values()) == names
    tracking = harness.tracking_of(home)
    for document in documents.values():
        (run,) = tracking.runs(document["name"])
        assert run["run"] == document["run"]["id"]
        assert run["status"] == "FINISHED"
        assert run["metrics"]["roc_auc"] == pytest.approx(document["metrics"]["roc_auc"]["value"])
        parent = f"tags.`mlflow.parentRunId` = '{run['mlflow_run']}'"
        children = tracking.client.search_runs([tracking.experiment(document["name"])], parent)
        assert len(children) == len(document["candidates"])
        assert tracking.registry.champion(document["name"]).run_id == run["mlflow_run"]
    assert len({document["winner"]["model_digest"] for document in documents.values()}) == RUNS
    assert harness.open_prefect_runs(prefect_api, "crowd") == []


@pytest.mark.slow
def test_two_runs_of_one_pipeline_go_one_after_the_other(
    tmp_path: Path, prefect_api: str, migrated_database: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(migrated_database, home / "mlflow.db")
    pipeline = classification(tmp_path, name="twice")
    processes = [harness.start(pipeline, home, prefect_api) for _ in range(2)]
    assert [harness.finish(process) for process in processes] == [0, 0]
    first, second = sorted(harness.tracking_of(home).runs("twice"), key=lambda run: run["started"])
    assert second["tags"]["penstock.cached_from"] == first["run"]
