from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from penstock.context import Run
from penstock.errors import PenstockError
from penstock.executors.pool import MIN_SECONDS, SECONDS_WITHOUT_MEDIAN, Outcome, WorkerPool


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> WorkerPool:
    return WorkerPool(a_run(tmp_path_factory.mktemp("pool")))


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
        pool.call("penstock.tasks.analyse:analyse", {"learning": ref, "schema": ref, "seed": 0})
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


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux only")
def test_workers_start_again_after_the_death_of_the_process_they_are_forked_from(tmp_path: Path) -> None:
    pool = WorkerPool(a_run(tmp_path))
    worker = psutil.Process(pool._all[0].process.pid)
    fork_server = worker.parent()
    assert fork_server is not None
    fork_server.kill()
    gone, _ = psutil.wait_procs([worker], timeout=10)
    assert gone
    assert pool.call("penstock.no_such_module:stage", {}).status == "died"
    assert pool.call("penstock.no_such_module:stage", {}).status == "failed"
    pool.close()


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
