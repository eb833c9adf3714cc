from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from prefect import flow, task
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterName
from prefect.client.schemas.objects import FlowRun, TaskRun
from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings
from prefect.states import Completed, Crashed, Running, Scheduled

from penstock.executors.flow_runs import MESSAGE, close_dead_prefect_runs, wait_until_recorded
from penstock.servers.auth import home_auth
from penstock.servers.local import LocalServer
from penstock.settings import Settings

pytestmark = pytest.mark.slow

LONG_RUN = """
import time
from prefect import flow, task

@task
def endless():
    time.sleep(600)

@flow(flow_run_name="killed")
def pipeline():
    endless()

pipeline()
"""


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("home")
    with (
        LocalServer.begin(Settings(home, "", None, None)) as server,
        temporary_settings({PREFECT_API_URL: server.wait(), PREFECT_API_AUTH_STRING: home_auth(home)}),
    ):
        yield server.wait()


@flow
def pipeline() -> None:
    pass


@task
def late() -> None:
    pass


def runs_named(name: str) -> tuple[list[FlowRun], list[TaskRun]]:
    named = FlowRunFilter(name=FlowRunFilterName(any_=[name]))
    with get_client(sync_client=True) as client:
        return client.read_flow_runs(flow_run_filter=named), client.read_task_runs(flow_run_filter=named)


def test_a_killed_run_and_its_tasks_are_closed(api: str, tmp_path: Path) -> None:
    auth = PREFECT_API_AUTH_STRING.value()
    environment = os.environ | {"PREFECT_API_URL": api, "PREFECT_API_AUTH_STRING": auth, "PREFECT_HOME": str(tmp_path)}
    process = subprocess.Popen([sys.executable, "-c", LONG_RUN], env=environment, stderr=subprocess.DEVNULL)
    try:
        while not any(found.state_name == "Running" for found in runs_named("killed")[1]):
            assert process.poll() is None
            time.sleep(0.2)
    finally:
        process.kill()
        process.wait()
    assert runs_named("killed")[0][0].state_name == "Running"

    assert close_dead_prefect_runs(["killed"]) == 2

    flow_runs, task_runs = runs_named("killed")
    states = [run.state for run in flow_runs] + [run.state for run in task_runs]
    assert [state and (state.name, state.message) for state in states] == [("Crashed", MESSAGE)] * 2
    assert close_dead_prefect_runs(["killed"]) == 0


def test_only_named_runs_that_are_not_over_are_closed(api: str) -> None:
    with get_client(sync_client=True) as client:
        for name, state in (
            ("finished", Completed(message="well done")),
            ("waiting", Scheduled()),
            ("alive", Running()),
        ):
            client.create_flow_run(pipeline, name=name, state=state)
    assert close_dead_prefect_runs(["finished", "waiting", "never heard of"]) == 1
    assert {name: runs_named(name)[0][0].state_name for name in ("finished", "waiting", "alive")} == {
        "finished": "Completed",
        "waiting": "Crashed",
        "alive": "Running",
    }


def test_a_task_run_that_comes_to_light_after_its_flow_run_was_closed_is_closed_too(api: str) -> None:
    with get_client(sync_client=True) as client:
        flow_run = client.create_flow_run(pipeline, name="told late", state=Crashed(message=MESSAGE))
        threading.Timer(1, client.create_task_run, (late, flow_run.id, "0"), {"state": Running()}).start()
        wait_until_recorded(flow_run.id)
    assert [task_run.state_name for task_run in runs_named("told late")[1]] == ["Running"]
    assert close_dead_prefect_runs(["told late"]) == 1
    assert [task_run.state_name for task_run in runs_named("told late")[1]] == ["Crashed"]


def test_nothing_to_close_asks_no_one() -> None:
    with temporary_settings({PREFECT_API_URL: "http://127.0.0.1:9/api"}):
        assert close_dead_prefect_runs([]) == 0
