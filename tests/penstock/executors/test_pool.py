from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from penstock.context import Run
from penstock.errors import PenstockError
from penstock.executors.pool import MIN_SECONDS, SECONDS_WITHOUT_MEDIAN, Outcome, WorkerPool


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkerPool]:
    made = WorkerPool(a_run(tmp_path_factory.mktemp("pool")))
    yield made
    made.close()


def a_run(home: Path) -> Run:
    return Run(id="r", pipeline="p", home=home, folder=home / "runs" / "r", base=home, tracking_uri="")


def test_a_job_that_fails_is_an_outcome_and_the_worker_goes_on(pool: WorkerPool) -> None:
    worker = pool._all[0].process.pid
    outcome = pool.call("penstock.no_such_module:stage", {})
    assert outcome.status == "failed"
    assert "no_such_module" in str(outcome.reason)
    assert pool._all[0].process.pid == worker


def test_an_error_for_people_crosses_over_as_itself(pool: WorkerPool) -> None:
    ref = {"kind": "estimator", "digest": "d" * 64}
    with pytest.raises(PenstockError, match="missing") as caught:
        pool.call("penstock.tasks.analyse:analyse", {"train": ref, "schema": ref, "seed": 0})
    assert caught.value.code == "PEN503"


def test_the_time_limit_follows_the_median_once_there_is_one(pool: WorkerPool) -> None:
    assert pool.seconds_limit() == SECONDS_WITHOUT_MEDIAN
    pool._seconds[:] = [0.1, 0.2, 0.3]
    assert pool.seconds_limit() == MIN_SECONDS
    pool._seconds[:] = [10.0, 20.0, 30.0]
    assert pool.seconds_limit() == 400


def test_a_killed_worker_is_told_from_one_that_failed_and_is_replaced(tmp_path: Path) -> None:
    pool = WorkerPool(a_run(tmp_path))
    first = pool._all[0].process.pid
    os.kill(first, signal.SIGKILL)
    outcome = pool.call("penstock.no_such_module:stage", {})
    assert (outcome.status, outcome.reason) == ("died", "its process ended with status -9")
    assert pool._all[0].process.pid != first
    assert pool.call("penstock.no_such_module:stage", {}).status == "failed"
    pool.close()


def test_an_idle_worker_serves_the_next_run_with_the_store_the_log_and_the_environment_of_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = WorkerPool(a_run(tmp_path / "first"))
    process = first._all[0].process.pid
    assert first.call("penstock.no_such_module:stage", {}).status == "failed"
    first.close()
    monkeypatch.setenv("PENSTOCK_ALLOW_PATHS", "/nowhere")
    second = WorkerPool(a_run(tmp_path / "second"))
    assert second._all[0].process.pid == process
    missing = {"train": {"kind": "frame", "digest": "d" * 64}, "schema": {"kind": "facts", "digest": "d" * 64}}
    with pytest.raises(PenstockError, match=str(tmp_path / "second")):
        second.call("penstock.tasks.analyse:analyse", {**missing, "seed": 0})
    assert second.call("penstock.another_module:stage", {}).status == "failed"
    assert "another_module" in (tmp_path / "second" / "runs" / "r" / "workers.log").read_text()
    assert "another_module" not in (tmp_path / "first" / "runs" / "r" / "workers.log").read_text()
    second.close()


def test_a_worker_is_not_kept_where_memory_is_limited_paths_differ_or_it_has_died(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def process_of_a_run(**limits: int) -> int:
        pool = WorkerPool(a_run(tmp_path).model_copy(update=limits))
        pool.call("penstock.no_such_module:stage", {})
        process = pool._all[0].process.pid
        pool.close()
        return process

    kept = process_of_a_run()
    limited = process_of_a_run(memory_mb=2000)
    assert limited != kept
    assert not psutil.pid_exists(limited)
    with monkeypatch.context() as patch:
        patch.setenv("PYTHONPATH", str(tmp_path))
        assert process_of_a_run() != kept
    os.kill(kept, signal.SIGKILL)
    psutil.wait_procs([psutil.Process(kept)], timeout=10)
    assert process_of_a_run() != kept


def test_closing_ends_the_workers_and_whoever_waits_for_one(tmp_path: Path) -> None:
    pool = WorkerPool(a_run(tmp_path))
    child = pool._all[0].process.pid
    busy = pool._idle.get()
    outcomes: list[Outcome] = []
    waiting = [threading.Thread(target=lambda: outcomes.append(pool.call("x", {}))) for _ in range(2)]
    for thread in waiting:
        thread.start()
    time.sleep(0.1)
    pool.close()
    for thread in waiting:
        thread.join(timeout=10)
    assert [outcome.status for outcome in outcomes] == ["died", "died"]
    assert busy is not None
    pool._replace(busy)
    assert pool._all == []
    assert not psutil.pid_exists(child)
