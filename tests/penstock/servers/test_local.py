from __future__ import annotations

import http.server
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import psutil
import pytest

from penstock.errors import EnvironmentFault, UsageError
from penstock.servers import local as module
from penstock.servers.auth import home_auth, new_home_auth
from penstock.servers.local import Board, LocalServer, Record, auth_for
from penstock.servers.up import change_password
from penstock.settings import Credentials, Settings

USER = """
import sys
from penstock.servers.local import LocalServer
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
def sleeper(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[bytes]]:
    """What the list of processes shows as the server of a home."""
    server = ["-m", getattr(request, "param", module.MODULE), "--home", str(tmp_path)]
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", *server])
    yield process
    process.kill()
    process.wait()


@pytest.mark.parametrize("sleeper", [module.MODULE, module.EARLIER], indirect=True)
def test_a_server_of_this_version_or_an_earlier_one_is_known(sleeper: subprocess.Popen[bytes], tmp_path: Path) -> None:
    record = Record(sleeper.pid, psutil.Process(sleeper.pid).create_time(), 9, "http://127.0.0.1:9/api")
    board, other = Board(settings_of(tmp_path)), Board(settings_of(tmp_path / "other"))
    for one in (board, other):
        one.publish(record)
    assert becomes_true(lambda: board.record() == record, within=10), "it has this command now"
    assert other.record() is None


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


CHANGES: list[dict[str, object]] = [
    {},
    {"url": "http://192.0.2.1:9/api"},
    {"host": "192.0.2.1"},
    {"pid": -1},
    {"pid": 2**80},
    {"port": []},
    {"create_time": None},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_a_record_of_something_else_is_none(tmp_path: Path, change: dict[str, object]) -> None:
    """Whoever else can write to the home names a process that is to be ended, or where passwords are to be sent."""
    stranger = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    try:
        board = Board(settings_of(tmp_path))
        board.publish(Record(stranger.pid, psutil.Process(stranger.pid).create_time(), 9, "http://127.0.0.1:9/api"))
        board.file.write_text(json.dumps(json.loads(board.file.read_text()) | change))
        record = board.record()
        assert record is None or not record.is_alive()
        board.file.write_text("[" * 100_000)
        assert board.record() is None
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_the_password_of_a_home_is_for_servers_of_that_home(tmp_path: Path) -> None:
    """Whoever listens at the address of a server of ours that has ended is told nothing."""
    named = settings_of(tmp_path, "http://127.0.0.1:9/api")
    assert auth_for(settings_of(tmp_path), "http://127.0.0.1:9/api") == home_auth(tmp_path)
    assert auth_for(named, "http://127.0.0.1:9/api") is None
    board = Board(named)
    me = psutil.Process()
    board.publish_up(Record(me.pid, me.create_time(), 9, "http://127.0.0.1:9/api"))
    assert auth_for(named, "http://127.0.0.1:9/api") is None, "this process is no server"
    command = ["-m", "penstock.servers.prefect_server", "--home", str(tmp_path)]
    server = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", *command])
    try:
        born = psutil.Process(server.pid).create_time()
        board.publish_up(Record(server.pid, born, 9, "http://127.0.0.1:9/api"))
        assert becomes_true(lambda: board.up() is not None, within=10), "it has this command now"
        for url, known in (("127.0.0.1:9", True), ("localhost:9", True), ("127.0.0.1:8", False), ("host:9", False)):
            assert (auth_for(named, f"http://{url}/api") == home_auth(tmp_path)) is known
            assert auth_for(settings_of(tmp_path / "other", named.prefect_api_url), f"http://{url}/api") is None
        with pytest.raises(UsageError) as caught:
            change_password(named)
        assert caught.value.code == "PEN066"
        assert "end `penstock up`" in caught.value.remedy
    finally:
        server.kill()
        server.wait()
    assert auth_for(named, "http://127.0.0.1:9/api") is None
    known = home_auth(tmp_path)
    change_password(named)
    assert home_auth(tmp_path) != known
    team = replace(named, credentials=Credentials("team", "a-long-password"))
    assert auth_for(team, "http://127.0.0.1:9/api") == "team:a-long-password"


def test_a_lease_that_names_no_process_counts_for_nothing(tmp_path: Path) -> None:
    board = Board(settings_of(tmp_path))
    board.leases.mkdir(parents=True)
    for name in ("1-2-3-4", "1x-a-b", f"{10**30}-1.00-x", "7--"):
        (board.leases / name).touch()
    assert not board.is_in_use()


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


MANY = """
from prefect import flow, task

@task
def one(number: int) -> int:
    return number

@flow
def many() -> None:
    assert sum(future.result() for future in [one.submit(number) for number in range(60)]) == sum(range(60))

many()
"""


@pytest.mark.slow
def test_it_asks_for_the_password_and_keeps_all_sixty_task_runs(home: Path) -> None:
    settings = settings_of(home)
    with LocalServer.begin(settings) as server:
        url = server.wait()
        auth = auth_for(settings, url)
        assert auth
        user, _, password = auth.partition(":")
        for wrong in (None, (user, "guess"), (user, "")):
            assert httpx.post(f"{url}/task_runs/count", json={}, auth=wrong).status_code == 401
        environment = os.environ | {"PREFECT_API_URL": url, "PREFECT_API_AUTH_STRING": auth}
        subprocess.run([sys.executable, "-c", MANY], env=environment, check=True, capture_output=True)

        def completed() -> int:
            asked = {"task_runs": {"state": {"type": {"any_": ["COMPLETED"]}}}}
            answer = httpx.post(f"{url}/task_runs/count", json=asked, auth=(user, password), timeout=30)
            return int(answer.raise_for_status().json())

        assert becomes_true(lambda: completed() == 60, within=30), completed()

        new_home_auth(home)
        with LocalServer.begin(settings) as late, pytest.raises(EnvironmentFault) as caught:
            late.wait()
        assert caught.value.code == "PEN917"
        assert "wait until other runs" in caught.value.remedy
        record = running_record(home)
    assert becomes_true(lambda: not record.is_alive(), within=20), "whoever comes next has the new password"


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
