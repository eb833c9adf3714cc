"""MLflow's and Prefect's pages: found where they run, else served on this machine until the reader leaves.

Prefect's pages come from the home's own API, which runs may share. MLflow's server is one for each home: a lock tells
whether another `penstock ui` looks after it, and one that a killed `penstock ui` left behind is taken over.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from filelock import FileLock, Timeout

from penstock.errors import EnvironmentFault, UsageError, did_you_mean
from penstock.servers.auth import auth_file
from penstock.servers.guard import LOOPBACK
from penstock.servers.local import LONGEST_START, POLL, LocalServer, Record, own_record
from penstock.settings import Settings
from penstock.store import digest_of, write_atomically

if TYPE_CHECKING:
    from penstock.tracking import Tracking

FIRST_PORT = 5000
MAX_PORTS = 100
HEALTH = "/health"
MLFLOW = ("-m", "penstock.tracking.serve", "--home")
# Jobs are for language models; they would cost eight processes and half a gigabyte.
ONLY_PAGES = {"MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false", "MLFLOW_DISABLE_TELEMETRY": "true"}


@dataclass(frozen=True)
class Pages:
    """Where to look; `check` raises where they have ended, and is None where they do not end with this process.

    `password`: the file with what Prefect's page asks for, where that is ours.
    """

    runs: str
    prefect: str
    password: Path | None
    check: Callable[[], None] | None


@contextmanager
def open_pages(
    settings: Settings, pipeline: str | None, port: int | None, tell: Callable[[str], None]
) -> Iterator[Pages]:
    """Both pages, once they answer; what was started for them ends with the body."""
    own_mlflow = not settings.tracking_uri.startswith("http")
    own_prefect = settings.prefect_api_url is None
    with ExitStack() as closing:
        for left in (
            signal.SIGINT,
            signal.SIGTERM,
            signal.SIGHUP,
        ):  # a closed terminal too
            closing.callback(signal.signal, left, signal.signal(left, signal.default_int_handler))
        tell("starting Prefect" if own_prefect else "looking for Prefect")
        prefect = closing.enter_context(LocalServer.begin(settings))
        # Imported, and its database made, while Prefect starts.
        from penstock.tracking import Tracking

        tracking = Tracking(settings.tracking_uri, settings.artifact_root)
        path = _runs_page(tracking, pipeline)
        in_charge = (own_mlflow or own_prefect) and _take(settings.locks / "pages.lock", closing)
        server = MlflowServer(settings)
        base = settings.tracking_uri.rstrip("/")
        if own_mlflow:
            tell("starting MLflow")
            if in_charge:
                closing.callback(server.end)
                server.begin(port)
            base = server.wait(own=in_charge)
        tell("waiting for Prefect")
        api = prefect.wait()
        check = server.check if own_mlflow else lambda: None
        password = auth_file(settings.home) if own_prefect else None
        yield Pages(
            f"{base}/{path}", f"{api.rstrip('/').removesuffix('/api')}/", password, check if in_charge else None
        )


def until_left(check: Callable[[], None]) -> None:
    """Come back at Ctrl-C."""
    try:
        while True:
            check()
            time.sleep(1)
    except KeyboardInterrupt:
        return


class MlflowServer:
    """MLflow's server on the tracking database of a home."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._file = settings.home / "mlflow-server.json"
        self._log = settings.logs / "mlflow-server.log"

    def begin(self, port: int | None) -> None:
        """Start the server, unless one that was left behind still serves this database where it is wanted."""
        found = self._record()
        if found and found.is_ready(HEALTH) and port in (None, found.port):
            return
        self.end()
        self._spawn(_free_port(port))

    def wait(self, *, own: bool) -> str:
        """The address, once it answers."""
        deadline = time.monotonic() + LONGEST_START
        while True:
            found = self._record()
            if found and found.is_ready(HEALTH):
                return found.url
            if own:
                self.check()
            if time.monotonic() > deadline:
                raise self._fault(f"no answer from MLflow's server in {LONGEST_START:.0f} seconds")
            time.sleep(POLL)

    def check(self) -> None:
        """Raise where the server has ended."""
        if self._record() is None:
            raise self._fault("MLflow's server has ended")

    def end(self) -> None:
        found = self._record(of_any_database=True)
        if found:
            found.end()
        self._file.unlink(missing_ok=True)

    def _record(self, *, of_any_database: bool = False) -> Record | None:
        try:
            facts = json.loads(self._file.read_bytes())
            database, found = facts.pop("database"), own_record(facts, MLFLOW, home=self._settings.home)
        except (FileNotFoundError, ValueError, TypeError, AttributeError, LookupError, RecursionError):
            return None
        if (
            found is None
            or not found.is_alive()
            or not (of_any_database or database == digest_of(self._settings.tracking_uri))
        ):
            return None
        return found

    def _spawn(self, port: int) -> None:
        self._log.parent.mkdir(parents=True, exist_ok=True)
        # Addresses of databases may hold passwords, which are for the environment and not for the list of processes.
        ours = ONLY_PAGES | {"MLFLOW_BACKEND_STORE_URI": self._settings.tracking_uri}
        if self._settings.artifact_root:
            ours["MLFLOW_DEFAULT_ARTIFACT_ROOT"] = self._settings.artifact_root.as_uri()
        command = [*MLFLOW, str(self._settings.home), "--host", LOOPBACK, "--port", str(port)]
        with self._log.open("wb") as log:
            child = subprocess.Popen(
                [sys.executable, *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self._log.parent,  # where no file of the user's can be mistaken for a module
                env=self._settings.quiet_environment() | os.environ | ours,
                start_new_session=True,  # Ctrl-C is for us; we end it in order
            )
        threading.Thread(target=child.wait, daemon=True, name="reap-mlflow-server").start()
        born = psutil.Process(child.pid).create_time()
        record = asdict(Record(child.pid, born, port, f"http://{LOOPBACK}:{port}"))
        write_atomically(
            self._file, json.dumps({**record, "database": digest_of(self._settings.tracking_uri)}).encode()
        )

    def _fault(self, what: str) -> EnvironmentFault:
        try:
            lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            lines = []
        tail = "\n".join(line for line in lines[-20:] if line.strip())[-350:]
        return EnvironmentFault(
            "PEN910",
            f"{what}; its log ends with:\n{tail}" if tail else what,
            where=str(self._log),
            remedy="run the same command again, or `penstock doctor` to see what is wrong with this machine",
        )


def _take(path: Path, closing: ExitStack) -> bool:
    """Whether no other `penstock ui` looks after the pages of this home."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return False
    closing.callback(lock.release)
    return True


def _runs_page(tracking: Tracking, pipeline: str | None) -> str:
    """The table of runs, not the view for language models that MLflow would open; of the newest run by default."""
    experiments = tracking.experiments()
    if pipeline is None:
        newest = tracking.runs()[:1]
        pipeline = newest[0]["pipeline"] if newest else None
    elif pipeline not in experiments:
        raise unknown_pipeline(pipeline, [name for name in experiments if name != "Default"], where="ui")
    return f"#/experiments/{experiments[pipeline]}/runs?workflowType=machine_learning" if pipeline else "#/experiments"


def unknown_pipeline(name: str, known: Sequence[str], *, where: str) -> UsageError:
    return UsageError(
        "PEN040", f"there is no run of a pipeline '{name}'", where=where, remedy=did_you_mean(name, known)
    )


def _free_port(wanted: int | None) -> int:
    """The port that was asked for, or the first free one."""
    for port in [wanted] if wanted else range(FIRST_PORT, FIRST_PORT + MAX_PORTS):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise EnvironmentFault(
        "PEN911",
        f"port {wanted} is in use" if wanted else f"no free port from {FIRST_PORT} to {FIRST_PORT + MAX_PORTS - 1}",
        where="127.0.0.1",
        remedy="leave --port out to take the next free one" if wanted else "give a free one with --port",
    )
