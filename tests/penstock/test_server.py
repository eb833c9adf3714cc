from __future__ import annotations

import http.server
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from penstock import server as module
from penstock.errors import EnvironmentFault
from penstock.server import Board, LocalServer, Record
from penstock.settings import Settings

USER = """
import sys
from penstock.server import LocalServer
from penstock.settings import Settings
with LocalServer.begin(Settings.from_environment()) as server:
    print(server.wait(), flush=True)
    sys.stdin.read()
"""


def settings_of(home: Path, api: str | None = None) -> Settings:
    return Settings(home, f"sqlite:///{home}/mlflow.db", home / "artifacts", api)


def start_user(home: Path) -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    return subprocess.Popen(
        [sys.executable, "-c", USER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment | {"PENSTOCK_HOME": str(home), "HOME": str(home)},
    )


def url_from(user: subprocess.Popen[str]) -> str:
    assert user.stdout
    return user.stdout.readline().strip()


def becomes_true(condition: Callable[[], bool], within: float) -> bool:
    deadline = time.monotonic() + within
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def running_record(home: Path) -> Record:
    record = Board(settings_of(home)).record()
    assert record
    assert record.is_alive()
    return record


def breaks_on_start(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Every server that is spawned from now on fails as soon as it imports what serves it."""
    (folder / "uvicorn.py").write_text("raise RuntimeError('the cable is cut')")
    monkeypatch.setenv("PYTHONPATH", str(folder))


class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/api/health" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def users_own_api() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Health) as api:
        threading.Thread(target=api.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{api.server_port}/api"
        api.shutdown()


def test_where_the_user_names_an_api_nothing_is_started(users_own_api: str, tmp_path: Path) -> None:
    with LocalServer.begin(settings_of(tmp_path / "home", users_own_api)) as server:
        assert server.wait() == users_own_api
    assert not (tmp_path / "home").exists()


def test_a_named_api_that_is_down_is_said(tmp_path: Path) -> None:
    server = LocalServer.begin(settings_of(tmp_path, "http://127.0.0.1:9/api"))
    with pytest.raises(EnvironmentFault, match="does not answer") as caught:
        server.wait()
    assert caught.value.code == "PEN905"
    assert caught.value.where == "http://127.0.0.1:9/api"
    assert "correct PREFECT_API_URL" in caught.value.remedy


def test_only_living_processes_hold_leases(tmp_path: Path) -> None:
    board = Board(settings_of(tmp_path))
    assert not board.is_in_use()
    mine = board.take_lease()
    assert board.is_in_use()
    mine.unlink()

    me = psutil.Process()
    zombie = subprocess.Popen([sys.executable, "-c", ""])
    born = psutil.Process(zombie.pid).create_time()
    assert becomes_true(lambda: psutil.Process(zombie.pid).status() == psutil.STATUS_ZOMBIE, within=10)
    for name in (f"{me.pid}-{me.create_time() - 60:.2f}-reused", f"{zombie.pid}-{born:.2f}-dead"):
        (board.leases / name).touch()
        assert not board.is_in_use()
        assert list(board.leases.iterdir()) == []
    zombie.wait()


def test_a_server_that_cannot_start_shows_the_end_of_its_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    breaks_on_start(monkeypatch, tmp_path)
    with LocalServer.begin(settings_of(tmp_path / "home")) as server, pytest.raises(EnvironmentFault) as caught:
        server.wait(timeout=60)
    assert caught.value.code == "PEN903"
    assert caught.value.what.endswith("RuntimeError: the cable is cut")
    assert caught.value.where == str(tmp_path / "home/logs/prefect-server.log")
    assert "PREFECT_API_URL" in caught.value.remedy
    assert list((tmp_path / "home/prefect/leases").iterdir()) == []


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    yield process
    process.kill()
    process.wait()


@pytest.mark.slow
def test_a_stuck_server_is_ended_by_its_recorded_id(
    sleeper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    breaks_on_start(monkeypatch, tmp_path)
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    monkeypatch.setattr(module, "LONGEST_STOP", 1.0)
    sleeper.send_signal(signal.SIGSTOP)  # deaf to requests and to polite signals
    born = psutil.Process(sleeper.pid).create_time()
    Board(settings_of(tmp_path)).publish(Record(sleeper.pid, born, 9, "http://127.0.0.1:9/api"))
    with LocalServer.begin(settings_of(tmp_path)) as server, pytest.raises(EnvironmentFault, match="the cable is cut"):
        server.wait(timeout=60)
    sleeper.wait(timeout=10)


def test_a_stranger_with_the_recorded_id_is_left_alone(
    sleeper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    breaks_on_start(monkeypatch, tmp_path)
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    born = psutil.Process(sleeper.pid).create_time()
    Board(settings_of(tmp_path)).publish(Record(sleeper.pid, born - 60, 9, "http://127.0.0.1:9/api"))
    with LocalServer.begin(settings_of(tmp_path)) as server, pytest.raises(EnvironmentFault):
        server.wait(timeout=60)
    assert sleeper.poll() is None


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose database only the first of the tests below has to make."""
    return tmp_path_factory.mktemp("home")


@pytest.mark.slow
def test_eight_runs_that_start_at_once_share_one_server(home: Path) -> None:
    users = [start_user(home) for _ in range(8)]
    urls = {url_from(user) for user in users}
    record = running_record(home)
    assert urls == {record.url}
    with LocalServer.begin(settings_of(home)) as one, LocalServer.begin(settings_of(home)) as other:
        for user in users:
            user.communicate()
            assert user.returncode == 0
        time.sleep(2 * module.LINGER)
        assert one.wait() == other.wait() == record.url
        one.release()
        time.sleep(2 * module.LINGER)
        assert other.wait() == record.url
    assert becomes_true(lambda: not record.is_alive(), within=10)
    assert not (home / "prefect/server.json").exists()
    assert list((home / "prefect/leases").iterdir()) == []


@pytest.mark.slow
def test_it_ends_when_its_only_user_is_killed(home: Path) -> None:
    user = start_user(home)
    assert url_from(user)
    record = running_record(home)
    user.kill()
    assert becomes_true(lambda: not record.is_alive(), within=10)
    user.communicate()
    assert not (home / "prefect/server.json").exists()


@pytest.mark.slow
def test_a_killed_server_is_replaced_where_its_users_know_it(home: Path) -> None:
    with LocalServer.begin(settings_of(home)) as server:
        url = server.wait()
        killed = running_record(home)
        os.kill(killed.pid, signal.SIGKILL)
        assert becomes_true(lambda: not killed.is_alive(), within=10)
        board = Board(settings_of(home))
        assert becomes_true(lambda: (found := board.record()) is not None and found.pid != killed.pid, within=60)
        assert server.wait() == running_record(home).url == url
