"""Runs that share a home and a server do not get in each other's way."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from penstock.servers.auth import home_auth
from penstock.servers.local import LocalServer
from penstock.settings import Settings
from penstock.tracking import Tracking
from tests.e2e import harness
from tests.small import classification

RUNS = 4


@dataclass
class Shared:
    """A home with databases, and the Prefect API on them."""

    home: Path
    api: str
    tracking: Tracking


@pytest.fixture(params=["sqlite", "postgresql"])
def shared(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, migrated_database: Path
) -> Iterator[Shared]:
    home = tmp_path / "home"
    home.mkdir()
    if request.param == "sqlite":
        shutil.copy(migrated_database, home / "mlflow.db")
        yield Shared(home, request.getfixturevalue("prefect_api"), harness.tracking_of(home))
        return
    monkeypatch.setenv("PENSTOCK_DATABASE", request.getfixturevalue("postgres").uri)
    settings = replace(Settings.from_environment(), home=home, artifact_root=home / "artifacts", prefect_api_url=None)
    monkeypatch.setenv("PREFECT_API_AUTH_STRING", home_auth(home))
    with LocalServer.begin(settings) as server:
        yield Shared(home, server.wait(), Tracking(settings.tracking_uri, settings.artifact_root))


@pytest.mark.slow
def test_runs_at_once_lose_and_mix_up_nothing(shared: Shared, tmp_path: Path) -> None:
    names = [f"crowd{number}" for number in range(RUNS)]
    quick = {"rows": 100, "search": {"fits": 4}, "split": {"folds": 2}}
    processes = [
        harness.start(classification(tmp_path / name, name=name, seed=number, **quick), shared.home, shared.api)
        for number, name in enumerate(names)
    ]
    assert [harness.finish(process) for process in processes] == [0] * RUNS

    documents = {path.parent.name: json.loads(path.read_text()) for path in shared.home.glob("runs/*/run.json")}
    assert sorted(document["name"] for document in documents.values()) == names
    tracking = shared.tracking
    for document in documents.values():
        (run,) = tracking.runs(document["name"])
        assert run["run"] == document["run"]["id"]
        assert run["status"] == "FINISHED"
        told = {name: facts["value"] for name, facts in document["metrics"].items() if facts["value"] is not None}
        assert {name: run["metrics"][name] for name in told} == pytest.approx(told)
        parent = f"tags.`mlflow.parentRunId` = '{run['mlflow_run']}'"
        children = tracking.client.search_runs([tracking.experiment(document["name"])], parent)
        assert len(children) == len(document["candidates"])
        assert tracking.registry.champion(document["name"]).run_id == run["mlflow_run"]
    assert len({document["winner"]["model_digest"] for document in documents.values()}) == RUNS
    assert harness.open_prefect_runs(shared.api, "crowd") == []
    said = "".join(path.read_text(errors="replace") for path in shared.home.glob("**/*.log"))
    assert "database is locked" not in said


@pytest.mark.slow
def test_two_runs_of_one_pipeline_go_one_after_the_other(
    tmp_path: Path, prefect_api: str, migrated_database: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(migrated_database, home / "mlflow.db")
    pipeline = classification(tmp_path, rows=100, name="twice")
    processes = [harness.start(pipeline, home, prefect_api) for _ in range(2)]
    assert [harness.finish(process) for process in processes] == [0, 0]
    first, second = sorted(harness.tracking_of(home).runs("twice"), key=lambda run: run["started"])
    assert second["tags"]["penstock.cached_from"] == first["run"]
