"""`penstock up` and a deployed schedule, on real servers and a real worker: the versions in the lock work together."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
import yaml
from prefect.client.orchestration import get_client
from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings

from penstock.servers.auth import auth_file
from penstock.servers.up import Platform
from penstock.settings import Settings
from tests import asking
from tests.conftest import Cli
from tests.e2e import harness
from tests.small import classification

ROOT = Path(__file__).parent.parent.parent
PENSTOCK = [sys.executable, "-m", "penstock.cli"]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Up:
    """`penstock up` in a process of its own, and what it started."""

    def __init__(self, home: Path) -> None:
        self.home, self.log = home, home / "up.log"
        self.begun: list[subprocess.Popen[bytes]] = []
        self.prefect, self.mlflow = free_port(), free_port()
        self.api, self.tracking = f"http://127.0.0.1:{self.prefect}/api", f"http://127.0.0.1:{self.mlflow}"
        settings = Settings(home, f"sqlite:///{home / 'mlflow.db'}", home / "artifacts", None)
        self.environment = {
            **os.environ,
            **settings.quiet_environment(),
            "PREFECT_SERVER_SERVICES_SCHEDULER_LOOP_SECONDS": "1",
            "PREFECT_SERVER_SERVICES_SCHEDULER_MAX_RUNS": "3",
            "PREFECT_SERVER_DEPLOYMENTS_CONCURRENCY_SLOT_WAIT_SECONDS": "2",
            "PREFECT_WORKER_QUERY_SECONDS": "1",
            "PENSTOCK_HOME": str(home),
        }
        del self.environment["PREFECT_API_AUTH_STRING"]  # of another server
        ports = ["--prefect-port", str(self.prefect), "--mlflow-port", str(self.mlflow)]
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                [*PENSTOCK, "up", *ports], stdout=output, stderr=subprocess.STDOUT, env=self.environment
            )

    @property
    def auth(self) -> str:
        return auth_file(self.home).read_text()

    def command(self, *arguments: str, cwd: Path, **more: str) -> str:
        environment = {**self.environment, "PREFECT_API_URL": self.api, **more}
        done = subprocess.run(arguments, cwd=cwd, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def begin(self, *arguments: str, cwd: Path) -> subprocess.Popen[bytes]:
        own = {"PREFECT_API_URL": self.api, "PREFECT_API_AUTH_STRING": self.auth, "MLFLOW_TRACKING_URI": self.tracking}
        environment = {**self.environment, **own}
        with (self.home / "own-worker.log").open("wb") as output:
            begun = subprocess.Popen(arguments, cwd=cwd, env=environment, stdout=output, stderr=subprocess.STDOUT)
        self.begun.append(begun)
        return begun

    def found(self, what: str, **filters: Any) -> list[dict[str, Any]]:
        user, _, password = self.auth.partition(":")
        return asking.found(self.api, what, (user, password), **filters)

    def family(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def named(self, *words: str) -> list[psutil.Process]:
        """Members of the family that were called with all of these words; some end while they are asked."""
        found = []
        for one in self.family():
            with suppress(psutil.NoSuchProcess):
                if set(words) <= set(one.cmdline()):
                    found.append(one)
        return found

    def listening(self) -> set[str]:
        """The addresses at which any of the family waits for others."""
        found = set()
        for one in self.family():
            with suppress(psutil.NoSuchProcess):
                found |= {at.laddr.ip for at in one.net_connections("tcp") if at.status == "LISTEN"}
        return found

    def wait_for(self, reached: Callable[[], object], seconds: float) -> None:
        """A server that is busy or not up yet is asked again."""
        deadline = time.monotonic() + seconds
        while True:
            with suppress(httpx.TransportError, httpx.HTTPStatusError):
                if reached():
                    return
            assert self.process.poll() is None, self.log.read_text()[-3000:]
            assert time.monotonic() < deadline, self.said()[-3000:]
            time.sleep(0.5)

    def said(self) -> str:
        return self.log.read_text() + (self.home / "logs" / "worker.log").read_text()


@contextmanager
def up(home: Path) -> Iterator[Up]:
    home.mkdir(exist_ok=True)
    started = Up(home)
    try:
        yield started
    finally:
        for begun in started.begun:
            begun.kill()
            begun.wait()
        if started.process.poll() is None:
            for member in [*started.family(), started.process]:
                with suppress(psutil.NoSuchProcess, ProcessLookupError):
                    member.kill()
            started.process.wait()


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_deployed_schedule_runs_in_servers_that_are_looked_after(tmp_path: Path) -> None:
    with up(tmp_path / "home") as started:
        started.wait_for(lambda: "export PREFECT_API_URL" in started.log.read_text(), 120)

        # No other machine can reach any of it.
        assert started.listening() == {"127.0.0.1"}

        # Every flow of the project, by Prefect's own command, into a pool of the file's choice.
        prefect = str(Path(sys.executable).with_name("prefect"))
        assert f'export PREFECT_API_AUTH_STRING="$(cat {auth_file(started.home)})"' in started.log.read_text()
        opened = {"PREFECT_API_AUTH_STRING": started.auth}
        create = [prefect, "--no-prompt", "work-pool", "create", "local", "--type", "process"]
        started.command(*create, cwd=tmp_path, **opened)
        started.command(prefect, "--no-prompt", "deploy", "--all", cwd=ROOT, **opened)
        written = yaml.safe_load((ROOT / "prefect.yaml").read_text())["deployments"]
        assert {one["name"] for one in started.found("deployments")} == {one["name"] for one in written}
        small = ["search.fits=4", "models=[logistic-regression]", "split.folds=2"]
        (churn,) = started.found("deployments", deployments={"name": {"any_": ["churn"]}})
        known = {PREFECT_API_URL: started.api, PREFECT_API_AUTH_STRING: started.auth}
        with temporary_settings(known), get_client(sync_client=True) as client:
            for _ in range(2):
                client.create_flow_run_from_deployment(churn["id"], parameters={"overrides": small, "sample": 300})
        own_worker = started.begin(prefect, "worker", "start", "--pool", "local", cwd=tmp_path)

        # One pipeline with the schedule of its file. A run that falls due while the last one runs is left out.
        schedule = {"interval": 12, "overlap": "skip"}
        pipeline = classification(tmp_path / "project", name="scheduled", schedule=schedule)
        told = started.command(*PENSTOCK, "deploy", str(pipeline), cwd=tmp_path)
        assert "supervised/scheduled is deployed to pool penstock: every 12 seconds" in told
        (deployment,) = started.found("deployments", deployments={"name": {"any_": ["scheduled"]}})
        assert deployment["work_pool_name"] == "penstock"
        of_it = {"deployments": {"name": {"any_": ["scheduled"]}}}

        def runs(*states: str) -> list[dict[str, Any]]:
            return started.found("flow_runs", **of_it, flow_runs={"state": {"type": {"any_": list(states)}}})

        # A worker that dies is started again; a run that dies with it is closed, and the next one goes on from there.
        started.wait_for(lambda: runs("RUNNING"), 300)
        (worker,) = started.named("worker", "--type")
        worker.kill()
        started.wait_for(lambda: "the worker has ended; starting it again" in started.log.read_text(), 60)
        # One that could not tell its end anymore keeps its place for as long as Prefect lends it: five minutes.
        started.wait_for(lambda: runs("COMPLETED"), 700)
        assert runs("CANCELLED"), "the next ones were due while the first one ran"
        assert not runs("FAILED")
        address = f"{started.api}/deployments/{deployment['id']}"
        paused = {"json": {"paused": True}, "auth": tuple(started.auth.split(":")), "timeout": 30}
        started.wait_for(lambda: httpx.patch(address, **paused).raise_for_status(), 60)

        # What dies is started again.
        (server,) = started.named("penstock.tracking.serve")
        server.kill()
        started.wait_for(lambda: "MLflow's server has ended; starting it again" in started.log.read_text(), 60)
        started.wait_for(lambda: httpx.get(f"{started.tracking}/health", timeout=30).is_success, 120)

        # Of two runs that fell due at once, the second one waited for the end of the first.
        done = {
            "deployments": {"id": {"any_": [churn["id"]]}},
            "flow_runs": {"state": {"type": {"any_": ["COMPLETED"]}}},
        }
        started.wait_for(lambda: len(started.found("flow_runs", **done)) == 2, 300)
        first, second = sorted(started.found("flow_runs", **done), key=lambda one: str(one["start_time"]))
        assert first["end_time"] <= second["start_time"]
        started.wait_for(lambda: not runs("RUNNING", "PENDING"), 300)  # one may have fallen due before the pause
        own_worker.kill()  # it may ignore a polite order
        own_worker.wait()

        family = started.family()
        started.process.send_signal(signal.SIGINT)
        assert started.process.wait(timeout=120) == 0, started.log.read_text()
        assert psutil.wait_procs(family, timeout=30)[1] == []

    tracking = harness.tracking_of(started.home)
    scheduled = tracking.runs("scheduled")
    assert "FINISHED" in {run["status"] for run in scheduled} <= {"FINISHED", "KILLED"}
    assert all(run["tags"]["penstock.prefect_flow_run"] for run in scheduled)
    assert tracking.registry.champion("scheduled") is not None


def test_a_port_that_is_taken_is_named_before_anything_starts(home: Path, cli: Cli) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        status, out, err = cli("up", "--mlflow-port", port, "--prefect-port", free_port())
    assert (status, out) == (6, "")
    assert f"PEN911: port {port}, for MLflow's server, is taken" in err
    assert f"process {os.getpid()}" in err
    assert not (home / "logs").exists()


def test_other_machines_are_let_in_by_password_or_in_so_many_words(
    home: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, out, err = cli("up", "--host", "0.0.0.0")
    assert (status, out, err[:6]) == (2, "", "PEN053")
    assert "PENSTOCK_AUTH=user:password" in err
    monkeypatch.setenv("PENSTOCK_AUTH", "team:short")
    status, _, err = cli("up")
    assert (status, err[:6]) == (2, "PEN054")
    assert "short" not in err
    assert not home.joinpath("logs").exists()
    monkeypatch.delenv("PENSTOCK_AUTH")
    settings = Settings.from_environment()
    assert Platform(settings, 1, 2, "pool", "0.0.0.0", insecure=True).credentials is None
    assert Platform(settings, 1, 2, "pool", "localhost").credentials is None


def test_without_a_server_there_is_nothing_to_deploy_to(
    tmp_path: Path, home: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    status, _, err = cli("deploy", classification(tmp_path / "project"))
    assert (status, err[:6]) == (2, "PEN051")
    assert "penstock up" in err
