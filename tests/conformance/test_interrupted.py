"""Killed and gone on with, and on a cluster: kinds of other packages; classification is tried so more thoroughly in
`tests/e2e/test_killed.py` and `tests/penstock/executors/test_dask.py`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from penstock.executors.dask.cluster import local_cluster
from penstock.settings import Settings
from tests.conformance.projects import Done
from tests.conftest import Cli
from tests.e2e import harness
from tests.kinds.installing import installed as installing

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("kind", ["ranges", "baskets"], indirect=True)]

WORKERS = 2
HALFWAY = 9


@pytest.fixture
def elsewhere(done: Done, tmp_path: Path, migrated_database: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in which nothing has run."""
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(migrated_database, home / "mlflow.db")
    monkeypatch.setenv("PENSTOCK_HOME", str(home))
    Settings.from_environment().apply()
    return home


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("cluster")
    with installing(), pytest.MonkeyPatch.context() as patch:
        patch.setenv("PENSTOCK_HOME", str(folder / "home-of-workers"))
        started = local_cluster(WORKERS, folder / "dask.log")
    with started:
        yield started


def test_killed_and_resumed(done: Done, elsewhere: Path, prefect_api: str) -> None:
    process = harness.start(done.pipeline, elsewhere, prefect_api)
    assert harness.kill_when(process, lambda: harness.stages_done(elsewhere) >= HALFWAY)
    assert harness.finish(harness.start(done.pipeline, elsewhere, prefect_api)) == 0
    told, expected = harness.document(elsewhere), done.document.as_json()
    assert told["winner"] == expected["winner"]
    assert told["metrics"] == expected["metrics"]
    assert sum(stage["state"] == "cached" for stage in told["stages"]) >= HALFWAY - 1
    assert harness.open_mlflow_runs(elsewhere) == []
    left = [" ".join(command) for command in harness.processes_of(elsewhere)]
    assert [command for command in left if "multiprocessing" not in command] == []  # these start the next test's run


def test_dask(
    done: Done, cluster: Any, elsewhere: Path, prefect_api: str, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    monkeypatch.setenv("PREFECT_API_URL", prefect_api)
    monkeypatch.setenv("PENSTOCK_STORE", str(elsewhere.parent / "shared"))
    engine = {"dask": {"address": cluster.scheduler_address, "workers": WORKERS}}
    status, out, err = cli("run", "--json", done.pipeline, "--set", f"engine={json.dumps(engine)}")
    assert status == 0, err
    told, expected = json.loads(out), done.document.as_json()
    assert told["winner"] == expected["winner"]
    assert told["metrics"] == expected["metrics"]
    assert {stage["stage"] for stage in told["stages"] if stage.get("worker")} >= {"train", "evaluate"}
