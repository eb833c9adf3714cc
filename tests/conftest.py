"""One Prefect API for the whole test run, one migrated MLflow database to copy, and a home of its own for each test."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.frozen import arithmetic

arithmetic.level()  # before numpy is imported, as what follows
# Tests run side by side, and threads beyond the cores wait for each other with all their might.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# Before Prefect is imported: it reads its settings then.
os.environ["PREFECT_HOME"] = tempfile.mkdtemp(prefix="penstock-tests-")
for name in ("PREFECT_API_URL", "MLFLOW_TRACKING_URI", "PENSTOCK_HOME", "PENSTOCK_DATABASE", "PENSTOCK_AUTH"):
    os.environ.pop(name, None)

from penstock.servers.auth import home_auth  # noqa: E402
from penstock.servers.local import LocalServer  # noqa: E402
from penstock.settings import Settings  # noqa: E402
from tests.listener import Listener  # noqa: E402
from tests.postgres import INITDB, Postgres  # noqa: E402

PLUGIN = Path(__file__).parent / "plugin"
SHARED_HOME = Path(os.environ["PREFECT_HOME"]) / "shared"
# What opens the shared API, which most tests name as a user names a server of theirs.
os.environ["PREFECT_API_AUTH_STRING"] = home_auth(SHARED_HOME)


class SharedApi:
    """The Prefect API of this test run, begun as soon as it is known that some test wants it: it takes its time."""

    server: LocalServer | None = None

    @classmethod
    def begin(cls) -> LocalServer:
        if cls.server is None:
            settings = Settings(home=SHARED_HOME, tracking_uri="", artifact_root=None, prefect_api_url=None)
            cls.server = LocalServer.begin(settings)
        return cls.server


def pytest_collection_finish(session: pytest.Session) -> None:
    if any("prefect_api" in getattr(item, "fixturenames", ()) for item in session.items):
        SharedApi.begin()


def pytest_sessionfinish() -> None:
    if SharedApi.server:
        SharedApi.server.release()
    shutil.rmtree(os.environ["PREFECT_HOME"], ignore_errors=True)


@pytest.fixture(scope="session")
def prefect_api() -> str:
    return SharedApi.begin().wait()


@pytest.fixture(scope="session")
def migrated_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from penstock.tracking import Tracking

    path = tmp_path_factory.mktemp("mlflow") / "mlflow.db"
    Tracking(f"sqlite:///{path}")
    return path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, migrated_database: Path) -> Path:
    """An empty Penstock home, which the environment names."""
    folder = tmp_path / "home"
    folder.mkdir()
    shutil.copy(migrated_database, folder / "mlflow.db")
    monkeypatch.setenv("PENSTOCK_HOME", str(folder))
    return folder


@pytest.fixture
def served_home(home: Path, monkeypatch: pytest.MonkeyPatch, prefect_api: str) -> Path:
    """A home whose runs go through the shared Prefect API."""
    monkeypatch.setenv("PREFECT_API_URL", prefect_api)
    return home


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server, which tests may stop and start."""
    if INITDB is None:
        pytest.skip("no PostgreSQL on this machine; install the package `postgresql` to run this")
    server = Postgres()
    yield server
    server.remove()


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    """Someone to be told, whom the settings call `team`; `ops` is never there."""
    made = Listener()
    threading.Thread(target=made.server.serve_forever, daemon=True).start()
    monkeypatch.setenv("PENSTOCK_WEBHOOKS", f"team={made.address} ops=http://127.0.0.1:9/")
    yield made
    made.server.shutdown()
    made.server.server_close()


class SmallDisk:
    """A real file system of few megabytes, which can be made larger."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.why_not = self._mount("-t", "tmpfs", "-o", "size=4m", "tmpfs")

    def resize(self, megabytes: float, inodes: int = 0) -> None:
        """`inodes`: how many files there may be, the folder itself included; 0 leaves that as it is."""
        why_not = self._mount(
            "-o", f"remount,size={int(megabytes * 1024)}k" + (f",nr_inodes={inodes}" if inodes else "")
        )
        assert not why_not, why_not

    def fill(self) -> Path:
        """With one file; when that is gone, there is room again."""
        file = self.folder / "filling"
        with suppress(OSError), file.open("wb", buffering=0) as filling:
            while filling.write(bytes(1024)):
                pass
        return file

    def remove(self) -> None:
        subprocess.run(["umount", "--lazy", str(self.folder)], check=True)

    def _mount(self, *options: str) -> str:
        try:
            subprocess.run(["mount", *options, str(self.folder)], check=True, capture_output=True, text=True)
        except FileNotFoundError:
            return "there is no `mount` here"
        except subprocess.CalledProcessError as error:
            return str(error.stderr).strip()
        return ""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    disk = SmallDisk(folder)
    if disk.why_not:
        pytest.skip(f"no small disk can be mounted, run as root to try full ones: {disk.why_not}")
    yield disk
    disk.remove()


class Cli:
    """The command line, called in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys

    def __call__(self, *arguments: object) -> tuple[int, str, str]:
        """Exit status, standard output, standard error."""
        from penstock.cli import main

        self.monkeypatch.setattr("sys.argv", ["penstock", *map(str, arguments)])
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = self.capsys.readouterr()
        return int(ended.value.code or 0), out, err


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    return Cli(monkeypatch, capsys)
