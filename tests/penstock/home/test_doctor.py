from __future__ import annotations

import http.server
import json
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from penstock.home import runs
from penstock.home.doctor import examine
from penstock.servers.auth import auth_file, home_auth
from penstock.settings import Settings
from penstock.store import Store
from tests.conftest import Cli


def found(state: str) -> dict[str, dict[str, str]]:
    """The checks of this home that came out so, by name."""
    return {check["name"]: check for check in examine(Settings.from_environment()) if check["state"] == state}


def test_a_sound_machine(home: Path, cli: Cli) -> None:
    Store(home / "store").put_facts({"a": 1})
    status, out, err = cli("doctor")
    assert (status, err) == (0, "")
    assert {line.split()[0] for line in out.splitlines()} == {"ok"}
    assert "mlflow database: whole and up to date" in out
    assert "1 objects" in out
    status, out, _ = cli("doctor", "--json")
    assert {check["state"] for check in json.loads(out)["checks"]} == {"ok"}


def test_a_home_that_does_not_exist_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    monkeypatch.setenv("PENSTOCK_HOME", str(tmp_path / "none" / "yet"))
    status, out, _ = cli("doctor")
    assert status == 0
    assert "the first run makes it" in out
    assert list(tmp_path.iterdir()) == []


def test_damage_in_the_home_is_found(home: Path, cli: Cli) -> None:
    store = Store(home / "store")
    (home / "store" / store.put_facts({"a": 1}).uri).write_text("{}")
    (home / "prefect").mkdir()
    (home / "prefect" / "prefect.db").write_bytes(b"not a database" * 1000)
    half_written = home / "store" / ".writing-1"
    half_written.touch()
    os.utime(half_written, (0, 0))
    runs.announce(home, "killed-run")
    marker = next((home / "running").iterdir())
    marker.write_text(json.dumps({**json.loads(marker.read_text()), "create_time": 0}))

    status, out, _ = cli("doctor")
    assert status == 6
    assert "altered" in out
    assert "file is not a database" in out
    assert found("fail").keys() == {"store", "prefect database"}
    assert "the next run makes them anew" in found("fail")["store"]["remedy"]
    warned = found("warn")
    assert "killed-run" in warned["locks"]["what"]
    assert "half-written" in warned["store"]["what"]


def test_databases_of_other_versions(home: Path) -> None:
    database = sqlite3.connect(home / "mlflow.db")
    database.execute("UPDATE alembic_version SET version_num = '0a8213491aaa'")
    database.commit()
    assert "mlflow db upgrade" in found("fail")["mlflow database"]["remedy"]
    database.execute("UPDATE alembic_version SET version_num = 'ffffffffffff'")
    database.commit()
    database.close()
    assert "newer mlflow" in found("fail")["mlflow database"]["what"]


def test_a_lock_that_no_run_accounts_for(home: Path) -> None:
    (home / "locks").mkdir()
    with FileLock(home / "locks" / "churn.lock", thread_local=False):
        assert "churn" in found("warn")["locks"]["what"]
        runs.announce(home, "churn-run")
        assert "held now: churn" in found("ok")["locks"]["what"]


@pytest.mark.parametrize("name", ["fastapi", "sqlalchemy"])
def test_the_two_clashes_that_pip_does_not_see(
    name: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / f"{name}-99.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 99.0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    failed = found("fail")["versions"]
    assert f"{name} 99.0" in failed["what"]
    assert "pip sees no conflict" in failed["what"]
    assert failed["remedy"].startswith("pip install")


def test_telemetry_that_is_switched_on(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GX_ANALYTICS_ENABLED", "true")
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    assert "GX_ANALYTICS_ENABLED=true" in found("warn")["telemetry"]["what"]


def test_servers_that_do_not_answer(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
    failed = found("fail")
    assert "PREFECT_API_URL" in failed["prefect"]["remedy"]
    assert "MLFLOW_TRACKING_URI" in failed["mlflow"]["remedy"]


def test_how_a_person_uses_the_password_and_not_what_it_is(home: Path) -> None:
    assert "prefect password" not in found("ok")
    secret = home_auth(home).partition(":")[2]
    told = found("ok")["prefect password"]["what"]
    assert f'export PREFECT_API_AUTH_STRING="$(cat {auth_file(home)})"' in told
    assert "penstock up --new-password" in told
    assert secret not in told


class Yesterday(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response_only(200)
        self.send_header("Date", "Thu, 01 Jan 2026 00:00:00 GMT")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def yesterdays_server() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Yesterday) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/api"
        server.shutdown()


def test_clocks_that_disagree(home: Path, yesterdays_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFECT_API_URL", yesterdays_server)
    assert "behind this machine's clock" in found("warn")["clock"]["what"]
    assert "answers at" in found("ok")["prefect"]["what"]
    monkeypatch.delenv("PREFECT_API_URL")
    journal = home / "runs" / "a" / "journal.jsonl"
    journal.parent.mkdir(parents=True)
    journal.touch()
    os.utime(journal, (time.time() + 600, time.time() + 600))
    assert "ahead of" in found("warn")["clock"]["what"]


def test_a_full_disk(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(home)._replace(free=10_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert "10 MB free" in found("fail")["disk"]["what"]
