"""A deployment with a schedule, on a real Prefect server and worker: the versions in the lock work together."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
import yaml

from penstock.settings import Settings
from tests.e2e import harness
from tests.small import classification

ROOT = Path(__file__).parent.parent.parent
SECONDS_UNTIL_FIRST_RUN = 20


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def running(command: list[str], log: Path, **options: Any) -> Iterator[None]:
    """A program that is ended with all its children."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, **options)
    try:
        yield
    finally:
        family = [process, *psutil.Process(process.pid).children(recursive=True)]
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)
        for member in family:
            with suppress(psutil.NoSuchProcess, ProcessLookupError):
                member.kill()
        process.wait()


def wait_for(reached: Callable[[], bool], seconds: float, log: Path) -> None:
    """A server that is busy or not up yet is asked again."""
    deadline = time.monotonic() + seconds
    while True:
        with suppress(httpx.TransportError):
            if reached():
                return
        assert time.monotonic() < deadline, log.read_text()[-3000:]
        time.sleep(0.5)


@pytest.mark.slow
def test_a_deployed_schedule_fires_and_its_run_completes_in_prefect_and_mlflow(tmp_path: Path) -> None:
    port = free_port()
    home = tmp_path / "home"
    api = f"http://127.0.0.1:{port}/api"
    settings = Settings(home, f"sqlite:///{home / 'mlflow.db'}", home / "artifacts", None)
    environment = {
        **os.environ,
        **settings.quiet_environment(),
        "PREFECT_HOME": str(tmp_path / "prefect"),
        "PREFECT_API_URL": api,
        "PREFECT_SERVER_SERVICES_SCHEDULER_LOOP_SECONDS": "1",
        "PREFECT_SERVER_SERVICES_SCHEDULER_MIN_RUNS": "1",
        "PREFECT_SERVER_SERVICES_SCHEDULER_MAX_RUNS": "1",
        "PREFECT_WORKER_QUERY_SECONDS": "1",
        "PENSTOCK_HOME": str(home),
    }
    prefect = str(Path(sys.executable).with_name("prefect"))

    def command(*arguments: str, cwd: Path) -> None:
        done = subprocess.run(
            [prefect, "--no-prompt", *arguments], cwd=cwd, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr

    log = tmp_path / "server.log"
    server = [prefect, "server", "start", "--host", "127.0.0.1", "--port", str(port)]
    with running(server, log, env=environment, cwd=tmp_path):
        wait_for(lambda: httpx.get(f"{api}/health").is_success, 90, log)
        command("work-pool", "create", "local", "--type", "process", cwd=tmp_path)
        command("deploy", "--all", cwd=ROOT)
        names = {
            deployment["name"] for deployment in httpx.post(f"{api}/deployments/filter", json={}, timeout=60).json()
        }
        assert names == {"churn", "segments"}

        first = datetime.now(UTC) + timedelta(seconds=SECONDS_UNTIL_FIRST_RUN)
        deployment = {
            "name": "soon",
            "entrypoint": "penstock.flows.supervised.supervised",
            "parameters": {"pipeline": str(classification(tmp_path / "project", name="scheduled"))},
            "schedules": [{"interval": 3600, "anchor_date": first.isoformat()}],
            "work_pool": {"name": "local"},
        }
        (tmp_path / "prefect.yaml").write_text(yaml.safe_dump({"name": "test", "deployments": [deployment]}))
        command("deploy", "--all", cwd=tmp_path)

        def completed() -> bool:
            wanted = {
                "deployments": {"name": {"any_": ["soon"]}},
                "flow_runs": {"state": {"type": {"any_": ["COMPLETED"]}}},
            }
            return bool(httpx.post(f"{api}/flow_runs/filter", json=wanted).json())

        worker_log = tmp_path / "worker.log"
        worker = [prefect, "worker", "start", "--pool", "local", "--limit", "1"]
        with running(worker, worker_log, env=environment, cwd=tmp_path):
            wait_for(completed, 300, worker_log)

    (run,) = harness.tracking_of(home).runs("scheduled")
    assert run["status"] == "FINISHED"
    assert run["tags"]["penstock.prefect_flow_run"]
    assert harness.tracking_of(home).registry.champion("scheduled") is not None
