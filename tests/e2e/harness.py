"""Runs in processes of their own, which tests may kill, and what they leave behind."""

from __future__ import annotations

import atexit
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import psutil

from penstock.actions.records import Actions
from penstock.store import Store
from penstock.tracking import Tracking

# A server process that has the libraries loaded, so that each run does not spend its first seconds on them.
_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(
    [
        "penstock.cli",
        "penstock.flows.launch",
        "great_expectations.expectations",
        "mlflow.store.tracking.sqlalchemy_store",
        "sklearn.pipeline",
    ]
)


def start(
    pipeline: Path, home: Path, api: str, *arguments: str, fresh: bool = False, printed: str = os.devnull
) -> BaseProcess:
    """`penstock run` in a process of its own; a fresh one reads settings of Prefect other than its address as well.

    Without an `api`, it starts one of its own. What it prints goes into the file `printed`.
    """
    environment = {**os.environ, "PENSTOCK_HOME": str(home), "PREFECT_API_URL": api}
    context: Any = multiprocessing.get_context("spawn") if fresh else _context
    process: BaseProcess = context.Process(
        target=_main, args=(["run", str(pipeline), *arguments], environment, printed)
    )
    process.start()
    return process


def _main(arguments: list[str], environment: dict[str, str], printed: str) -> None:
    os.environ.clear()  # that of the server process is of an earlier test
    os.environ.update(environment)
    sys.path[:0] = [folder for folder in environment.get("PYTHONPATH", "").split(os.pathsep) if folder]
    sys.argv = ["penstock", *arguments]
    sys.stdout = sys.stderr = open(printed, "w")  # noqa: SIM115
    from penstock.cli import main

    try:
        main()
    finally:
        atexit._run_exitfuncs()  # as a command does, and processes of this package do not


def finish(process: BaseProcess) -> int | None:
    process.join(timeout=400)
    if process.is_alive():  # else it would go on beside the tests that follow
        process.kill()
        process.join()
    return process.exitcode


def kill_when(process: BaseProcess, reached: Callable[[], bool]) -> bool:
    """Kill the process, with nothing said to it, as soon as the moment has come; False if it ended before."""
    while process.is_alive():
        if reached():
            process.kill()
            process.join()
            return True
        time.sleep(0.002)
    return False


def runs(home: Path) -> int:
    """How many runs have begun to write a journal."""
    return len(list(home.glob("runs/*/journal.jsonl")))


def stages_done(home: Path) -> int:
    """How many stages the newest run has finished."""
    return sum(event["event"] == "stage" for event in journal(home))


def journal(home: Path) -> list[dict[str, Any]]:
    files = sorted(home.glob("runs/*/journal.jsonl"), key=lambda path: path.stat().st_mtime)
    lines = files[-1].read_text().split("\n")[:-1] if files else []
    return [json.loads(line) for line in lines]


def document(home: Path) -> dict[str, Any]:
    """What the newest run told that came so far; a full disk may strike after that."""
    path = max(home.glob("runs/*/run.json"), key=lambda file: file.stat().st_mtime)
    told: dict[str, Any] = json.loads(path.read_text())
    return told


def digests(home: Path) -> dict[str, list[str]]:
    """What each stage of the newest run made, by digest."""
    actions = Actions(Store(home / "store"))
    made: dict[str, list[str]] = {}
    for event in journal(home):
        record = actions.find(event["key"]) if event["event"] == "stage" else None
        if record:
            made[event["stage"]] = sorted(_digests(record.made))
    return made


def _digests(made: Any) -> list[str]:
    if isinstance(made, dict) and set(made) == {"kind", "digest"}:
        return [made["digest"]]
    values = made.values() if isinstance(made, dict) else made if isinstance(made, list) else []
    return [digest for value in values for digest in _digests(value)]


def tracking_of(home: Path) -> Tracking:
    return Tracking(f"sqlite:///{home / 'mlflow.db'}", home / "artifacts")


def open_mlflow_runs(home: Path) -> list[str]:
    return [run["run"] for run in tracking_of(home).runs() if run["status"] == "RUNNING"]


def open_prefect_runs(api: str, pipeline: str) -> list[str]:
    """Names of flow runs of a pipeline, and of task runs in them, that are not over and do not get over in seconds.

    Prefect's server writes the states of task runs down some time after it was told of them.
    """
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterName
    from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings

    of_pipeline = FlowRunFilter(name=FlowRunFilterName(like_=pipeline))
    deadline = time.monotonic() + 20
    known = {PREFECT_API_URL: api, PREFECT_API_AUTH_STRING: os.environ["PREFECT_API_AUTH_STRING"]}
    with temporary_settings(known), get_client(sync_client=True) as client:
        while True:
            runs = [
                *client.read_flow_runs(flow_run_filter=of_pipeline, limit=200),
                *client.read_task_runs(flow_run_filter=of_pipeline, limit=200),
            ]
            still_open = [f"{run.name}: {run.state_name}" for run in runs if run.state and not run.state.is_final()]
            if not still_open or time.monotonic() > deadline:
                return still_open
            time.sleep(0.5)


def processes_of(home: Path) -> list[list[str]]:
    """Command lines of living processes that speak of this home, or were started by a run that does."""
    found = []
    for process in psutil.process_iter(["cmdline", "environ"]):
        command, environment = process.info["cmdline"] or [], process.info["environ"] or {}
        if any(str(home) in part for part in command) or environment.get("PENSTOCK_HOME") == str(home):
            found.append(command)
    return found
