"""Stages on the workers of a Dask cluster, whose home is another than the flow's."""

from __future__ import annotations

import json
import os
import pickle
import pkgutil
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from prefect import flow
from prefect.settings import PREFECT_API_URL, temporary_settings

from penstock import tasks
from penstock.actions.records import Actions
from penstock.components.catalog import entries
from penstock.context import Run
from penstock.errors import PenstockError, UsageError
from penstock.executors.dask import cluster as near
from penstock.executors.dask.cluster import local_cluster, on_cluster
from penstock.executors.dask.remote import machine_facts
from penstock.flows.launch import launch_score
from penstock.flows.supervised import supervised
from penstock.plugins import releases
from penstock.scoring.batch import Order
from penstock.settings import Settings
from penstock.spec.engine import Dask
from penstock.stage import Stage, stage
from penstock.store import Ref, Store, open_store
from tests.conftest import PLUGIN, Cli
from tests.penstock.scoring.conftest import fitted, people
from tests.penstock.scoring.test_command import register
from tests.small import classification

WORKERS = 2


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("cluster")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PENSTOCK_HOME", str(folder / "home-of-workers"))
        patch.setenv("PYTHONPATH", os.pathsep.join([str(PLUGIN), os.environ.get("PYTHONPATH", "")]))
        started = local_cluster(WORKERS, folder / "dask.log")
    with started:
        yield started


@pytest.fixture(autouse=True)
def misbehaving(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Methods of another package, as this process and its workers see them, and those of the cluster."""
    kept = (entries, releases, machine_facts)
    monkeypatch.syspath_prepend(str(PLUGIN))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(PLUGIN), os.environ.get("PYTHONPATH", "")]))
    for one in kept:
        one.cache_clear()
    yield
    for one in kept:
        one.cache_clear()


def engine_of(cluster: Any) -> dict[str, Any]:
    return {"dask": {"address": cluster.scheduler_address, "workers": WORKERS}}


@pytest.mark.slow
def test_the_same_bits_as_on_one_machine_though_a_worker_is_killed(
    cluster: Any, tmp_path: Path, served_home: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    models = ["test-hungry", "test-dying", {"decision-tree": {"max_depth": [2, 3]}}, "logistic-regression"]
    about: dict[str, Any] = {"split": {"folds": 3}, "search": {"fits": 18}}
    pipeline = classification(tmp_path, models=models, limits={"memory_mb": 600, "workers": 2}, **about)
    elsewhere = shutil.copytree(served_home, tmp_path / "second-home")
    Settings.from_environment().apply()
    expected = supervised.fn(str(pipeline), engine="plain").as_json()
    made_alone = records(served_home)

    monkeypatch.setenv("PENSTOCK_HOME", str(elsewhere))
    monkeypatch.setenv("PENSTOCK_STORE", str(tmp_path / "shared"))
    killer = Killer(cluster, elsewhere)
    killer.start()
    status, out, err = cli("run", "--json", pipeline, "--set", f"engine={json.dumps(engine_of(cluster))}")
    assert status == 0, err
    document = json.loads(out)

    assert killer.killed, "a worker died in the middle"
    assert document["winner"] == expected["winner"]
    assert document["metrics"] == expected["metrics"]
    made = records(elsewhere)
    assert made.keys() == made_alone.keys()
    assert {key: record for key, record in made.items() if record != made_alone[key]} == {}
    fates = {candidate["name"]: candidate["status"] for candidate in document["candidates"]}
    assert (fates["test-hungry"], fates["test-dying"]) == ("memory", "died"), "limits hold there too"

    stages = [event for event in document["stages"] if event.get("worker")]
    assert {"prepare fold 1", "train", "evaluate", "draw"} <= {event["stage"] for event in stages}
    assert len({event["worker"] for event in stages}) >= WORKERS
    ran = [event["key"] for event in stages if event["state"] == "ran"]
    assert len(ran) == len(set(ran)), "what was finished is not done again"


@pytest.mark.slow
def test_rows_are_scored_as_on_one_machine(
    cluster: Any, tmp_path: Path, served_home: Path, prefect_api: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(fitted(tmp_path / "model"))
    frame = people(250)
    frame.loc[[3, 40, 170], "age"] = 999
    frame.to_csv(tmp_path / "new.csv", index=False)
    monkeypatch.setenv("PENSTOCK_STORE", str(tmp_path / "shared"))

    def scored(engine: str) -> tuple[dict[str, Any], bytes, bytes]:
        wanted = tmp_path / engine[:5] / "scores.csv"
        wanted.parent.mkdir()
        order = Order(model="people", source=str(tmp_path / "new.csv"), destination=str(wanted), chunk_rows=100)
        order = order.model_copy(update={"on_breach": ["age=quarantine"]})
        summary = launch_score(order, engine, prefect_api, tmp_path / "score.log")
        return summary, wanted.read_bytes(), Path(summary["quarantine"]).read_bytes()

    alone, spread = scored("local"), scored(cluster.scheduler_address)
    assert spread[1:] == alone[1:]
    told = ("rows", "scored", "quarantined", "breaches", "chunks")
    assert {name: spread[0][name] for name in told} == {name: alone[0][name] for name in told}
    assert (spread[0]["quarantined"], spread[0]["chunks"]["scored"]) == (3, 3)
    left = [path for folder in (tmp_path / "shared", served_home / "scoring") for path in folder.rglob("*.parquet")]
    assert left == [], "what was sent is not kept"


class Killer(threading.Thread):
    """Ends the first worker that begins to fit a candidate, with nothing said to it."""

    def __init__(self, cluster: Any, home: Path) -> None:
        super().__init__(daemon=True)
        self.cluster, self.home = cluster, home
        self.killed = 0

    def run(self) -> None:
        from distributed import Client

        with Client(self.cluster.scheduler_address, set_as_default=False) as client:
            client.wait_for_workers(WORKERS)
            processes = client.run(os.getpid)
            while not self.killed:
                time.sleep(0.01)
                for journal in self.home.glob("runs/*/journal.jsonl"):
                    for event in map(json.loads, journal.read_text().split("\n")[:-1]):
                        if str(event.get("stage")).startswith("fit") and "worker" in event:
                            self.killed = processes[event["worker"]]
                            os.kill(self.killed, signal.SIGKILL)
                            return


def records(home: Path) -> dict[str, Any]:
    """What each stage made, by its key; of seconds and megabytes, which the last two are told of, nothing."""
    run = max(home.glob("runs/*/journal.jsonl"), key=lambda path: path.stat().st_mtime)
    events = [json.loads(line) for line in run.read_text().splitlines()]
    store = open_store(home, Settings.from_environment().shared_store)
    found = [Actions(store).find(event["key"]) for event in events if event["event"] == "stage"]
    kept = [record for record in found if record and record.stage not in ("register", "draw")]
    return {record.key: _without_seconds(record.made) for record in kept}


def _without_seconds(made: Any) -> Any:
    if isinstance(made, dict):
        return {name: _without_seconds(value) for name, value in made.items() if name != "seconds"}
    return made


@stage(travels=True)
def die(run: Run, number: int) -> Ref:
    os.kill(os.getpid(), signal.SIGKILL)
    return run.store.put_facts(number)


@flow
def dying(run: Run, asked: Dask) -> None:
    with on_cluster(run, asked) as there:
        die(there, 1)


@pytest.fixture
def run(served_home: Path) -> Run:
    home = served_home
    return Run(id="small-1", pipeline="small", home=home, folder=home / "runs" / "small-1", base=home, tracking_uri="")


def fault_of(run: Run, asked: Dask, api: str) -> PenstockError:
    with temporary_settings({PREFECT_API_URL: api}), pytest.raises(PenstockError) as caught:
        dying(run, asked)
    return caught.value


@pytest.mark.slow
def test_what_is_wrong_with_a_cluster_is_said(
    cluster: Any, run: Run, prefect_api: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Dask(**engine_of(cluster)["dask"])
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    fault = fault_of(run.model_copy(update={"shared_store": (tmp_path / "shared").as_uri()}), asked, prefect_api)
    assert (fault.code, "finished stages are kept" in fault.remedy) == ("PEN924", True)
    assert "every Dask worker that was given 'die' died of it" in fault.what

    monkeypatch.setattr(near, "machine_facts", lambda: {"scikit-learn": "0.1"})
    fault = fault_of(run, asked, prefect_api)
    assert (fault.code, "requirements.lock" in fault.remedy) == ("PEN922", True)
    assert "there, 0.1 here" in fault.what
    assert fault.where.startswith("tcp://")


@pytest.mark.slow
def test_workers_that_do_not_see_the_store_or_the_server_are_refused(
    cluster: Any, run: Run, prefect_api: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Dask(**engine_of(cluster)["dask"])
    monkeypatch.setattr(Run, "store", property(lambda run: Store(tmp_path / "of-this-machine-alone")))
    fault = fault_of(run, asked, prefect_api)
    assert (fault.code, "PENSTOCK_STORE" in fault.remedy) == ("PEN923", True)
    monkeypatch.undo()
    with temporary_settings({PREFECT_API_URL: prefect_api}):
        assert reached(run, asked, prefect_api) is None
        fault = reached(run, asked, "http://127.0.0.1:1/api")
    assert fault
    assert (fault.code, "PREFECT_API_URL" in fault.remedy) == ("PEN923", True)


@flow
def reached(run: Run, asked: Dask, api: str) -> PenstockError | None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PREFECT_API_URL, "value", lambda: api)
        try:
            with on_cluster(run, asked):
                return None
        except PenstockError as error:
            return error


@pytest.mark.slow
def test_an_address_where_nobody_answers(run: Run, prefect_api: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near, "CONNECT_SECONDS", 0.5)
    fault = fault_of(run, Dask(address="tcp://127.0.0.1:1"), prefect_api)
    assert (fault.code, fault.where) == ("PEN921", "engine.dask.address")
    assert "`dask scheduler`" in fault.remedy


@pytest.mark.slow
def test_without_dask(run: Run, prefect_api: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prefect_dask", None)
    fault = fault_of(run, Dask(), prefect_api)
    assert (type(fault), fault.code) == (UsageError, "PEN092")
    assert "pip install 'penstock[dask]'" in fault.remedy


@pytest.mark.slow
def test_workers_that_do_not_come(cluster: Any, run: Run, prefect_api: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near, "START_SECONDS", 0.5)
    fault = fault_of(run, Dask(address=cluster.scheduler_address, workers=99), prefect_api)
    assert (fault.code, fault.where) == ("PEN921", "engine.dask.workers")
    assert "99 are asked for" in fault.what


def test_every_stage_is_found_again_by_its_name() -> None:
    """A stage is sent by the name of its module and its own."""
    for module in pkgutil.iter_modules(tasks.__path__, "penstock.tasks."):
        for name, found in vars(import_module(module.name)).items():
            if isinstance(found, Stage) and found.function.__module__ == module.name:
                assert pickle.loads(pickle.dumps(found)) is found, f"{module.name}.{name}"
