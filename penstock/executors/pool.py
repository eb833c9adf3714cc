"""The parent's side of the worker processes: limits are enforced by killing, and a killed candidate is a fact.

Workers that are left at the end of a run wait for the next run of this process, with the libraries loaded.
"""

from __future__ import annotations

import atexit
import json
import os
import queue
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import psutil
from pydantic import BaseModel

from penstock.context import Run
from penstock.errors import PenstockError
from penstock.home.disk import full_place
from penstock.stage import Status
from penstock.worker import Begun

POLL_SECONDS = 0.1
MIN_SECONDS = 60.0
TIMES_MEDIAN = 20
ENOUGH_FOR_MEDIAN = 3
SECONDS_WITHOUT_MEDIAN = 3600.0
FREE_MEMORY_SHARE = 0.8
MAX_KEPT_MB = 800
"""What a worker may have grown to and still be kept for the next run."""
MB = 2**20


class Outcome(BaseModel):
    """How a job ended; `value` only when it finished."""

    status: Status
    value: Any = None
    reason: str | None = None
    seconds: float = 0.0


class Worker:
    """One child process and the thread that reads its predictions."""

    def __init__(self, threads: int, log: Path) -> None:
        environment = _environment(threads)
        self.key = (threads, environment["PYTHONPATH"])
        with log.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "penstock.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=environment,
            )
        self.replies: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._listen, args=(self.process.stdout,), daemon=True).start()

    def begin(self, run: Run, log: Path) -> None:
        """Jobs of this run come next."""
        begun = Begun(store=run.store.location, environment=_environment(run.threads), log=str(log))
        self._write(begun)

    def send(self, stage: str, arguments: dict[str, Any]) -> None:
        self._write({"stage": stage, "arguments": arguments})

    def memory_mb(self) -> float:
        try:
            return float(psutil.Process(self.process.pid).memory_info().rss) / MB
        except psutil.Error:
            return 0.0

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                with suppress(BrokenPipeError):  # what it was sent when it had died already
                    pipe.close()

    def _write(self, message: Mapping[str, Any]) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the end of its predictions says that it died

    def _listen(self, source: IO[str]) -> None:
        try:
            for line in source:
                self.replies.put(json.loads(line))
        except ValueError:
            pass  # cut off by a kill
        self.replies.put(None)


class WorkerPool:
    """Long-lived workers, started before they are needed and replaced when killed."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.memory_mb = memory_limit(run)
        self._idle: queue.LifoQueue[Worker | None] = queue.LifoQueue()
        self._all: list[Worker] = []
        self._seconds: list[float] = []
        self._lock = threading.Lock()
        self._closed = False
        for _ in range(run.workers):
            self._idle.put(self._start())

    def call(self, stage: str, arguments: dict[str, Any], on_event: Callable[[Any], None] = lambda _: None,
             limited: bool = False) -> Outcome:  # fmt: skip
        """Do a stage in a worker; `limited` ones are candidates: they have a time limit and set the median."""
        worker = self._idle.get()
        if worker is None:
            self._idle.put(None)
            return Outcome(status="died", reason="the run has ended")
        try:
            worker.send(stage, arguments)
            outcome = self._watch(worker, on_event, limited)
        except PenstockError:
            self._idle.put(worker)
            raise
        except BaseException:
            self._replace(worker)
            raise
        if outcome.status in ("time", "memory", "died"):
            self._replace(worker)
        else:
            self._idle.put(worker)
        if outcome.status in ("failed", "died") and (full := full_place(self.run.home, self.run.artifact_root)):
            raise full  # a fault of the machine, which says nothing about the candidate
        if limited and outcome.status == "finished":
            with self._lock:
                self._seconds.append(outcome.seconds)
        return outcome

    @property
    def busy(self) -> bool:
        return self._idle.qsize() < len(self._all)

    def seconds_limit(self) -> float:
        if self.run.seconds:
            return self.run.seconds
        with self._lock:
            if len(self._seconds) < ENOUGH_FOR_MEDIAN:
                return SECONDS_WITHOUT_MEDIAN
            return max(MIN_SECONDS, TIMES_MEDIAN * statistics.median(self._seconds))

    def close(self, keep: bool = True) -> None:
        """End the workers, but for idle ones that another run may have, and whoever waits for one."""
        with self._lock:
            self._closed = True
            idle = self._take_idle()
            for worker in self._all:
                if not (keep and worker in idle and not self.run.memory_mb and _keep(worker)):
                    worker.end()
            self._all.clear()
        self._idle.put(None)

    def _take_idle(self) -> list[Worker]:
        found = []
        with suppress(queue.Empty):
            while worker := self._idle.get_nowait():
                found.append(worker)
        return found

    def _watch(self, worker: Worker, on_event: Callable[[Any], None], limited: bool) -> Outcome:
        began: float | None = None  # a new worker has libraries to load first, which is not the candidate's fault
        while True:
            try:
                answer = worker.replies.get(timeout=POLL_SECONDS)
            except queue.Empty:
                fault = self._over_limit(worker, time.monotonic() - began if limited and began else 0.0)
                if fault:
                    return fault
                continue
            seconds = time.monotonic() - began if began else 0.0
            if answer is None:
                code = worker.process.wait()
                return Outcome(status="died", reason=f"its process ended with status {code}", seconds=seconds)
            if "began" in answer:
                began = time.monotonic()
            elif "event" in answer:
                on_event(answer["event"])
            elif "error" in answer:
                if answer.get("penstock"):
                    raise PenstockError.from_parts(answer["penstock"])
                status: Status = "memory" if answer.get("memory") else "failed"
                return Outcome(status=status, reason=answer["error"], seconds=seconds)
            else:
                return Outcome(status="finished", value=answer["value"], seconds=answer["seconds"])

    def _over_limit(self, worker: Worker, seconds: float) -> Outcome | None:
        if seconds > self.seconds_limit():
            reason = f"ended after {seconds:.0f} s: over the time limit of {self.seconds_limit():.0f} s"
            return Outcome(status="time", reason=reason, seconds=seconds)
        used = worker.memory_mb()
        if used > self.memory_mb:
            reason = f"ended at {used:.0f} MB: over the memory limit of {self.memory_mb:.0f} MB"
            return Outcome(status="memory", reason=reason, seconds=seconds)
        return None

    def _start(self) -> Worker:
        log = self.run.folder / "workers.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        # Under a limit of memory, what earlier runs have left in a worker would count.
        kept = None if self.run.memory_mb else _kept_worker(self.run.threads)
        worker = kept or Worker(self.run.threads, log)
        worker.begin(self.run, log)
        self._all.append(worker)
        return worker

    def _replace(self, worker: Worker) -> None:
        worker.end()
        with self._lock:
            if not self._closed:
                self._all.remove(worker)
                self._idle.put(self._start())


_pools: dict[str, WorkerPool] = {}
_pools_lock = threading.Lock()


def available_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory_limit(run: Run) -> float:
    """Megabytes that a worker may use."""
    return run.memory_mb or FREE_MEMORY_SHARE * psutil.virtual_memory().available / MB / run.workers


def pool_of(run: Run) -> WorkerPool:
    """The run's workers in this process, started at the first call."""
    with _pools_lock:
        if run.id not in _pools:
            _pools[run.id] = WorkerPool(run)
        return _pools[run.id]


def is_busy(run: Run) -> bool:
    with _pools_lock:
        return run.id in _pools and _pools[run.id].busy


def close_pool(run: Run, keep: bool = True) -> None:
    with _pools_lock:
        pool = _pools.pop(run.id, None)
    if pool:
        pool.close(keep)


_kept: list[Worker] = []
_kept_lock = threading.Lock()
# A worker has one parent.
os.register_at_fork(after_in_child=_kept.clear)


def _keep(worker: Worker) -> bool:
    fit = worker.process.poll() is None and worker.memory_mb() <= MAX_KEPT_MB
    if fit:
        with _kept_lock:
            _kept.append(worker)
    return fit


def _kept_worker(threads: int) -> Worker | None:
    """One whose environment, as far as it counts at the start, is that of a new one."""
    key = (threads, package_path())
    with _kept_lock:
        for worker in _kept:
            if worker.key == key and worker.process.poll() is None:
                _kept.remove(worker)
                return worker
    return None


@atexit.register
def _end_kept() -> None:
    while _kept:
        _kept.pop().end()


def _environment(threads: int) -> dict[str, str]:
    names = (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
    )
    fixed = {"PYTHONPATH": package_path(), "PYTHONHASHSEED": "0"}
    return {**os.environ, **fixed, **dict.fromkeys(names, str(threads))}


def package_path() -> str:
    """Where another process of this machine finds this very package."""
    return os.pathsep.join([str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])])
