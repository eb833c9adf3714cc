from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.context import Run
from penstock.errors import DataError, EnvironmentFault, UsageError
from penstock.executors.pool import WorkerPool
from penstock.flows.launch import RunLog
from penstock.home import runs
from penstock.home.disk import full_disk, full_place, no_space_in
from penstock.servers.local import LocalServer
from penstock.settings import Settings
from penstock.store import Store
from penstock.store.shared import Shared
from penstock.tracking import Tracking
from tests.conftest import SmallDisk


@pytest.fixture
def home(small_disk: SmallDisk, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PENSTOCK_HOME", str(small_disk.folder))
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    return small_disk.folder


def a_run(home: Path) -> Run:
    return Run(id="r", pipeline="p", home=home, folder=home / "runs/r", base=home, tracking_uri="")


def test_the_disk_itself_is_asked(home: Path, small_disk: SmallDisk, tmp_path: Path) -> None:
    small_disk.resize(20)
    assert full_place(home) is None
    filling = small_disk.fill()
    for place in (home, home / "not" / "yet" / "there"):
        full = full_place(place)
        assert full
        assert (full.code, full.exit_status, full.where) == ("PEN901", 6, str(place))
        assert "run the same command again" in full.remedy
    assert full_place(tmp_path, home), "where artifacts go"
    filling.unlink()
    assert full_place(home) is None
    small_disk.resize(20, inodes=1)
    assert full_place(home), "there is room, but for no other file"
    assert list(home.iterdir()) == []


def test_temporary_files_need_room_too(
    home: Path, small_disk: SmallDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_disk.fill()
    assert full_place(tmp_path) is None
    monkeypatch.setenv("TMPDIR", str(home))
    assert full_place(tmp_path)


def test_what_is_wrong_with_the_data_stays_what_it_is(home: Path, small_disk: SmallDisk) -> None:
    small_disk.fill()
    for error in (DataError("PEN101", "x", remedy="y"), UsageError("PEN001", "x", remedy="y")):
        assert full_disk(error, home) is None
    for broken in (EnvironmentFault("PEN903", "x", remedy="y"), RuntimeError("500"), OSError("0 of 8 bytes written")):
        assert full_disk(broken, home)


def test_no_space_is_found_below_any_error(tmp_path: Path) -> None:
    def raised(below: Exception) -> Exception:
        try:
            try:
                raise below
            except Exception:
                raise DataError("PEN235", "x", remedy="y") from None
        except DataError as error:
            return error

    no_space = OSError(errno.ENOSPC, "No space left on device", "/full/file")
    for error in (raised(no_space), ExceptionGroup("x", [raised(no_space)]), raised(OSError(errno.EDQUOT, "quota"))):
        assert no_space_in(error)
    assert "/full/file" in str(no_space_in(raised(no_space)))
    assert no_space_in(raised(OSError(errno.EIO, "broken"))) is None


@pytest.mark.slow
def test_a_new_database_of_mlflow_is_made_whole_or_not_at_all(home: Path, small_disk: SmallDisk) -> None:
    small_disk.resize(0.5)
    uri = f"sqlite:///{home}/mlflow.db"
    with pytest.raises(EnvironmentFault) as caught:
        Tracking(uri)
    assert no_space_in(caught.value)
    assert not (home / "mlflow.db").exists() or not (home / "mlflow.db").stat().st_size
    assert not (home / "mlflow.db.new").exists()
    small_disk.resize(20)
    assert Tracking(uri).runs() == []


def test_the_journal_of_a_run(home: Path, small_disk: SmallDisk) -> None:
    run = a_run(home)
    run.note({"event": "stage", "stage": "split"})
    filling = small_disk.fill()
    with pytest.raises(EnvironmentFault, match="PEN901"):
        run.note({"event": "stage", "stage": "train", "reason": 5000 * "x"})
    filling.unlink()
    run.note({"event": "end"})
    assert run.journal("stage")[0]["stage"] == "split"
    assert len(run.journal("end")) in (0, 1), "it may have been joined to a line that was cut off"


def test_a_log_that_cannot_be_closed_ends_nothing(home: Path, small_disk: SmallDisk) -> None:
    log = RunLog(home / "run.log")
    small_disk.fill()
    assert log.stream
    log.stream.write("what waits to be written")
    log.close()


@pytest.mark.parametrize("ended_by", [OSError(errno.ENOSPC, "full"), RuntimeError("500")], ids=str)
def test_a_run_that_a_full_disk_ended_stays_announced(home: Path, small_disk: SmallDisk, ended_by: Exception) -> None:
    run_id = runs.begin(home, "churn")
    small_disk.fill()
    with pytest.raises(EnvironmentFault, match="PEN901"), runs.announced(home, run_id):
        raise ended_by
    assert (home / "running" / f"{run_id}.json").exists()
    with pytest.raises(DataError), runs.announced(home, run_id):
        raise DataError("PEN101", "x", remedy="y")
    assert not (home / "running" / f"{run_id}.json").exists()


def test_a_shared_store_on_it(home: Path, small_disk: SmallDisk, tmp_path: Path) -> None:
    shared = Shared(home.as_uri())
    small_disk.fill()
    with pytest.raises(EnvironmentFault) as caught:
        shared.write("a", bytes(2**16))
    assert caught.value.code == "PEN901"
    with pytest.raises(EnvironmentFault) as caught:
        Store(tmp_path, home.as_uri()).put_facts("x" * 2**16)
    assert caught.value.code == "PEN901"


@pytest.mark.slow
def test_a_worker_that_fails_or_dies_of_it_is_no_candidate_that_failed(home: Path, small_disk: SmallDisk) -> None:
    pool = WorkerPool(a_run(home))
    small_disk.fill()
    try:
        with pytest.raises(EnvironmentFault, match="PEN901"):
            pool.call("no_such_job", {}, limited=True)
    finally:
        pool.close()


@pytest.mark.slow
def test_a_server_that_cannot_make_its_database(home: Path, small_disk: SmallDisk) -> None:
    small_disk.resize(0.3)
    settings = Settings.from_environment()
    with pytest.raises(EnvironmentFault) as caught, LocalServer.begin(settings) as server:
        server.wait()
    full = full_disk(caught.value, home)
    assert full
    assert full.code == "PEN901"


@pytest.mark.slow
def test_what_is_printed_into_a_full_disk(home: Path, small_disk: SmallDisk) -> None:
    small_disk.fill()
    environment = {**os.environ, "PENSTOCK_HOME": str(home)}
    with (home / "filling").open("ab") as full:
        command = [sys.executable, "-m", "penstock.cli", "catalog", "--json"]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=environment, check=False)
    assert (ran.returncode, ran.stderr[:6]) == (6, "PEN901"), ran.stderr
    assert len(ran.stderr.splitlines()) == 3
