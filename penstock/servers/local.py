"""The Prefect API of a home: one local process, shared by all runs, gone soon after the last of them.

Each run holds a lease, a file that names its process; a lease whose process is dead counts for nothing, so a killed
run needs no one to clean up after it. The server holds a file lock for as long as it lives, which the kernel drops
when it dies: of many that start at once, one serves and the others withdraw.
"""

from __future__ import annotations

import argparse
import base64
import gc
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psutil
from filelock import FileLock, Timeout
from pydantic import TypeAdapter

from penstock.errors import EnvironmentFault
from penstock.home.runs import alive
from penstock.servers.auth import auth_file, home_auth
from penstock.servers.database import make_databases
from penstock.servers.guard import LOOPBACK, is_loopback, netloc, own_hosts
from penstock.servers.new_database import create
from penstock.servers.prefect_app import guarded_prefect
from penstock.settings import Settings
from penstock.store import write_atomically

if TYPE_CHECKING:
    import uvicorn

MODULE = "penstock.servers.local"
EARLIER = "penstock.server"  # what it was called before: one that still runs is known by it
LEASE = re.compile(r"(\d{1,9})-(\d{1,12}\.\d{2})-\w+")
POLL = 0.1
LINGER = 1.0  # seconds without a lease after which the server ends
PATIENCE = 30.0  # seconds of silence after which a living server counts as stuck
LONGEST_START = 120.0
LONGEST_STOP = 10.0

# Runs need no pages and no block types; preparing them would only delay the first answer. An ephemeral API makes no
# pages; ours come when they are asked for.
BARE_API = {
    "PREFECT__SERVER_EPHEMERAL": "1",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    "PREFECT_SERVER_REGISTER_BLOCKS_ON_START": "false",
    "PREFECT_SERVER_MEMOIZE_BLOCK_AUTO_REGISTRATION": "false",
    "PREFECT_SERVER_API_BASE_PATH": "/api",
}


@dataclass(frozen=True)
class Record:
    """A server that has answered: which process it is, so that no other is ever ended for it, and where it listens."""

    pid: int
    create_time: float
    port: int
    url: str
    host: str = LOOPBACK

    def is_alive(self) -> bool:
        return alive(self.pid, self.create_time)

    def is_ready(self, path: str = "/api/health") -> bool:
        return self.status(path) == http.HTTPStatus.OK

    def status(self, path: str, auth: str | None = None) -> int | None:
        """What it answers to whoever says these words; None where it gives no answer."""
        known = {"Authorization": f"Basic {base64.b64encode(auth.encode()).decode()}"} if auth else {}
        connection = http.client.HTTPConnection(self.host, self.port, timeout=2)
        try:
            connection.request("GET", path, headers=known)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def end(self) -> None:
        """The process and all that it started."""
        if not self.is_alive():
            return
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(self.pid)
            family = [process, *process.children(recursive=True)]
            process.terminate()
            for stubborn in psutil.wait_procs(family, LONGEST_STOP / 2)[1]:
                with suppress(psutil.NoSuchProcess):
                    stubborn.kill()


def own_record(facts: Any, command: tuple[str, ...], path: str = "", home: Path | None = None) -> Record | None:
    """The record, if it is of a server of ours that listens on this machine alone.

    Whoever else can write to a home could name any process there, which would be ended, and any address, which would be
    told what opens the servers.
    """
    try:
        record = _records.validate_python(facts)
    except ValueError:
        return None
    if not is_loopback(record.host) or record.url != f"http://{netloc(record.host, record.port)}{path}":
        return None
    return None if record.is_alive() and not _runs(record.pid, command, home) else record


def _runs(pid: int, command: tuple[str, ...], home: Path | None) -> bool:
    """Whether the process was started by this command, and for this home where that is the next word."""
    try:
        words = psutil.Process(pid).cmdline()
        at = next(at for at in range(len(words)) if tuple(words[at : at + len(command)]) == command)
        return home is None or os.path.samefile(words[at + len(command)], home)
    except (psutil.Error, StopIteration, IndexError, OSError):
        return False


_records = TypeAdapter(Record)


class Board:
    """The files through which a server and its users know of each other."""

    def __init__(self, settings: Settings) -> None:
        self.home = settings.home
        self.folder = settings.prefect
        self.leases = settings.prefect / "leases"
        self.file = settings.prefect / "server.json"
        self.up_file = settings.prefect / "up.json"
        self.new_database = None if settings.database else settings.prefect / "prefect.db"
        self.lock = settings.locks / "prefect-server.lock"
        self.log = settings.logs / "prefect-server.log"

    def record(self) -> Record | None:
        """The server that runs share."""
        return self._own(self.file, MODULE) or self._own(self.file, EARLIER)

    def up(self) -> Record | None:
        """The server of `penstock up`, where the home's password opens it."""
        return self._own(self.up_file, "penstock.servers.prefect_server")

    def _own(self, file: Path, module: str) -> Record | None:
        try:
            facts = json.loads(file.read_bytes())
        except (FileNotFoundError, ValueError, RecursionError):
            return None
        return own_record(facts, ("-m", module, "--home"), "/api", self.home)

    def publish(self, record: Record) -> None:
        write_atomically(self.file, json.dumps(asdict(record)).encode())

    def publish_up(self, record: Record) -> None:
        write_atomically(self.up_file, json.dumps(asdict(record)).encode())

    def withdraw(self) -> None:
        self.file.unlink(missing_ok=True)

    def take_lease(self) -> Path:
        me = psutil.Process()
        lease = self.leases / f"{me.pid}-{me.create_time():.2f}-{uuid4().hex[:8]}"
        write_atomically(lease, b"")
        return lease

    def is_in_use(self) -> bool:
        in_use = False
        for lease in self.leases.glob("[0-9]*-*-*"):
            named = LEASE.fullmatch(lease.name)
            if named is None:
                continue
            if alive(int(named[1]), float(named[2])):
                in_use = True
            else:
                lease.unlink(missing_ok=True)
        return in_use

    def end_of_log(self) -> str:
        try:
            lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return ""
        return "\n".join(line for line in lines[-20:] if line.strip())[-350:]


def auth_for(settings: Settings, api_url: str) -> str | None:
    """What opens the API at this address: the home's password for the home's own servers and for no others."""
    if settings.prefect_api_url is None:
        return home_auth(settings.home)
    board = Board(settings)
    ours = [record.url for record in (board.record(), board.up()) if record and record.is_alive()]
    if _plain(api_url) in map(_plain, ours):
        return home_auth(settings.home)
    return settings.credentials.pair if settings.credentials else None


def _plain(url: str) -> str:
    return url.rstrip("/").replace("//localhost:", f"//{LOOPBACK}:")


class LocalServer:
    """A run's share in the Prefect API: begin early, import what is slow, then wait.

    Where the user has named a Prefect API, nothing is started, and waiting only makes sure that it answers.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._board = Board(settings)
        self._lease: Path | None = None
        self._auth = ""
        self._child: subprocess.Popen[bytes] | None = None
        self._port: int | None = None

    @classmethod
    def begin(cls, settings: Settings) -> LocalServer:
        server = cls(settings)
        if settings.prefect_api_url is None:
            # The lease comes before the look: a server that ends itself withdraws first and then looks for leases.
            server._lease = server._board.take_lease()
            server._auth = home_auth(settings.home)
            record = server._board.record()
            if record is None or not record.is_alive():
                server._spawn()
        return server

    def wait(self, timeout: float = LONGEST_START) -> str:
        """The address of the API, once it answers."""
        if self._settings.prefect_api_url:
            return _reachable(self._settings.prefect_api_url)
        deadline = time.monotonic() + timeout
        last_sign = time.monotonic()
        while True:
            record = self._board.record()
            if record and record.is_alive():
                if record.is_ready():
                    self._require_entry(record)
                    self._child = None  # should it ever fall silent, that is no failure to start
                    self._keep_at(record.port)
                    return record.url
                if time.monotonic() - last_sign > PATIENCE:
                    record.end()
            else:
                last_sign = time.monotonic()
                self._see_to_child()
            if time.monotonic() > deadline:
                raise self._fault(f"no answer from the local Prefect API in {timeout:.0f} seconds")
            time.sleep(POLL)

    def release(self) -> None:
        if self._lease:
            self._lease.unlink(missing_ok=True)
            self._lease = None

    def __enter__(self) -> LocalServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def _require_entry(self, record: Record) -> None:
        if self._port is None and record.status("/api/admin/version", self._auth) == http.HTTPStatus.UNAUTHORIZED:
            raise EnvironmentFault(
                "PEN917",
                f"the local Prefect API (process {record.pid}) has another password than the home",
                where=str(auth_file(self._settings.home)),
                remedy="wait until other runs of this home have ended, which end that server, and run this again",
            )

    def _keep_at(self, port: int) -> None:
        """Where the server is killed while we need it, another one in its place: clients know its port."""
        if self._port is None:
            threading.Thread(target=self._keep, daemon=True, name="keep-prefect-server").start()
        self._port = port

    def _keep(self) -> None:
        while self._lease:
            found = self._board.record()
            if (found is None or not found.is_alive()) and (self._child is None or self._child.poll() is not None):
                with suppress(EnvironmentFault, OSError):  # its database may be on its way back
                    self._spawn()
            time.sleep(1)

    def _see_to_child(self) -> None:
        status = self._child.poll() if self._child else 0
        if status == 0:  # none yet, or it withdrew before another server that is gone again
            self._spawn()
        elif status is not None:
            raise self._fault(f"the local Prefect API did not start (exit status {status})")

    def _spawn(self) -> None:
        for folder in (self._board.folder, self._board.log.parent, self._board.lock.parent):
            folder.mkdir(parents=True, exist_ok=True)
        ours = {
            "PREFECT_SERVER_DATABASE_CONNECTION_URL": self._settings.prefect_database,
            "PREFECT_SERVER_UI_STATIC_DIRECTORY": str(self._board.folder / "pages"),
            "PREFECT_SERVER_API_AUTH_STRING": self._auth,
        }
        if self._settings.database:
            make_databases(self._settings.database)
        with self._board.log.open("ab") as log:
            child = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    MODULE,
                    "--home",
                    str(self._settings.home),
                    "--port",
                    str(self._port or 0),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self._board.folder,  # where no file of the user's can be mistaken for a module or for settings
                env=self._settings.quiet_environment() | os.environ | BARE_API | ours,
                start_new_session=True,  # Ctrl-C is for the run, which still has things to tell the server
            )
        threading.Thread(target=child.wait, daemon=True, name="reap-prefect-server").start()
        self._child = child

    def _fault(self, what: str) -> EnvironmentFault:
        tail = self._board.end_of_log()
        return EnvironmentFault(
            "PEN903",
            f"{what}; its log ends with:\n{tail}" if tail else what,
            where=str(self._board.log),
            remedy="run the same command again; if it fails again, free memory and disk space, give every machine a "
            "PENSTOCK_HOME of its own, or start a Prefect server yourself and set PREFECT_API_URL",
        )


def _reachable(url: str) -> str:
    """The user's own API, if it gives any answer at all: whether it lets us in is Prefect's to find out."""
    try:
        urllib.request.urlopen(f"{url.rstrip('/')}/health", timeout=10).close()  # noqa: S310
    except urllib.error.HTTPError as error:
        error.close()
    except (OSError, ValueError) as error:
        raise EnvironmentFault(
            "PEN905",
            f"the Prefect API does not answer: {getattr(error, 'reason', error)}",
            where=url,
            remedy="start that server, or correct PREFECT_API_URL (in the environment or in the active Prefect "
            "profile), or unset it: Penstock then starts a local API by itself",
        ) from error
    return url


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog=f"python -m {MODULE}", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--port", type=int, default=0)
    asked = parser.parse_args(arguments)
    home = asked.home
    board = Board(replace(Settings.from_environment(), home=home))
    lock = FileLock(board.lock)
    while board.is_in_use():
        try:
            lock.acquire(timeout=0)
        except Timeout:
            other = board.record()
            if other and other.is_alive():
                return
            time.sleep(POLL)
        else:
            with lock:
                _serve(board, asked.port)
            return


def _serve(board: Board, port: int) -> None:
    gc.disable()  # until the server answers: starting makes many objects and hardly any garbage
    import uvicorn

    board.withdraw()
    os.truncate(board.log, 0)
    if board.new_database:
        create(board.new_database)
    config = uvicorn.Config(
        lambda: guarded_prefect(own_hosts(LOOPBACK, port)),
        factory=True,
        lifespan="on",
        log_level="warning",
        timeout_graceful_shutdown=3,
    )
    server = uvicorn.Server(config)
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((LOOPBACK, port))
    port = listener.getsockname()[1]
    me = psutil.Process()
    record = Record(me.pid, me.create_time(), port, f"http://{LOOPBACK}:{port}/api")
    threading.Thread(target=_watch, args=(server, board, record), daemon=True, name="watch-leases").start()
    try:
        server.run(sockets=[listener])
    finally:
        board.withdraw()


def _watch(server: uvicorn.Server, board: Board, record: Record) -> None:
    """Publish the record when the server answers; end the server when no one uses it."""
    last_used = time.monotonic()
    while not (server.started and record.is_ready()):  # never cuts a migration short for want of users
        if board.is_in_use():
            last_used = time.monotonic()
        if time.monotonic() - last_used > LONGEST_START:
            os._exit(1)
        time.sleep(POLL)
    gc.freeze()
    gc.enable()
    board.publish(record)
    last_used = time.monotonic()
    while True:
        time.sleep(POLL)
        if board.is_in_use():
            last_used = time.monotonic()
        elif time.monotonic() - last_used > LINGER:
            board.withdraw()
            if not board.is_in_use():
                break
            board.publish(record)
    server.should_exit = True
    time.sleep(LONGEST_STOP)
    os._exit(1)


if __name__ == "__main__":
    main()
