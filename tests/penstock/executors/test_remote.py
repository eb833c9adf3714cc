"""What a Dask worker keeps for a run, and what it says of itself."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from penstock.context import Run
from penstock.errors import EnvironmentFault
from penstock.executors import pool
from penstock.executors.dask import remote
from penstock.executors.dask.remote import RemoteRun, machine_facts


def sent(home: Path, **facts: str) -> RemoteRun:
    places = {"home": home, "folder": home / "runs" / "r", "base": home}
    return RemoteRun(id="r", pipeline="p", tracking_uri="", **places, facts={**machine_facts(), **facts})


def test_a_worker_that_has_the_same_is_taken(tmp_path: Path) -> None:
    sent(tmp_path).refuse_difference("tcp://here:1")


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"scikit-learn": "0.1"}, f"scikit-learn {machine_facts()['scikit-learn']} there, 0.1 here"),
        ({"python": "3.99.0"}, "there, 3.99.0 here"),
        ({"penstock": "other"}, "other code of ours"),
        ({"plug-ins": "other"}, "other code of plug-ins"),
    ],
    ids=str,
)
def test_a_difference_is_said(tmp_path: Path, facts: dict[str, str], words: str) -> None:
    with pytest.raises(EnvironmentFault) as caught:
        sent(tmp_path, **facts).refuse_difference("tcp://there:1")
    fault = caught.value
    assert (fault.code, fault.where) == ("PEN922", "tcp://there:1")
    assert words in fault.what
    assert "the same versions on all machines" in fault.remedy


def test_an_edit_of_a_plug_in_is_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its methods are named in words, which no import leads to."""
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "vote.py").write_text("PENALTY = 1\n")
    (tmp_path / "single.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(remote, "releases", lambda: {"team": "team 1.0", "single": "single 1.0"})
    before = remote.machine_facts.__wrapped__()
    assert remote.machine_facts.__wrapped__() == before
    (tmp_path / "team" / "vote.py").write_text("PENALTY = 2\n")
    after = remote.machine_facts.__wrapped__()
    assert {name for name in after if after[name] != before[name]} == {"plug-ins"}


@pytest.mark.slow
def test_processes_of_a_run_that_took_no_leave_end_when_they_are_idle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "IDLE_SECONDS", 0.2)
    run = Run(id="left", pipeline="p", home=tmp_path, folder=tmp_path, base=tmp_path, tracking_uri="")
    kept = pool.pool_of(run)
    worker = kept._idle.get()  # as if it had a job
    assert worker is not None
    remote._postpone_shutdown(run)
    time.sleep(1)
    assert pool.is_busy(run)
    kept._idle.put(worker)
    worker.process.wait()
    assert run.id not in pool._pools
