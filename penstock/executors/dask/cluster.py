"""The near side of a cluster: stages are sent to Dask's workers by Prefect's task runner for Dask."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prefect.context import FlowRunContext
from prefect.settings import PREFECT_API_URL

from penstock.context import Run
from penstock.errors import EnvironmentFault
from penstock.executors.dask.remote import DIFFERENT, PROBE, RemoteRun, check_worker, machine_facts, shut_down, topic_of
from penstock.executors.pool import package_path
from penstock.spec.engine import Dask, require_dask

if TYPE_CHECKING:
    from distributed import Client
    from distributed.deploy.spec import SpecCluster
    from prefect_dask import DaskTaskRunner

CONNECT_SECONDS = 10
START_SECONDS = 120
LOOPBACK = "127.0.0.1"


@contextmanager
def on_cluster(run: Run, asked: Dask) -> Iterator[Run]:
    """The run, with its numeric stages sent to the workers of a cluster; it needs the context of a flow run."""
    context = FlowRunContext.get()
    assert context is not None
    with _runner(run, asked) as runner:
        client = _connect(runner, run, asked)
        remote = _sent(run, client)
        _refuse_unfit_workers(run, remote, client)
        client.subscribe_topic(topic_of(run.id), lambda event: run.note(event[1]))
        try:
            with context.model_copy(update={"task_runner": runner}):
                yield run.model_copy(update={"engine": "dask", "remote": remote, "workers": 1})
        finally:
            client.run(shut_down, remote, on_error="ignore")
            client.unsubscribe_topic(topic_of(run.id))


def _runner(run: Run, asked: Dask) -> DaskTaskRunner:
    require_dask()  # a scoring has no pipeline file that would have said so
    from prefect_dask import DaskTaskRunner

    if asked.address:
        return DaskTaskRunner(address=asked.address, client_kwargs={"timeout": CONNECT_SECONDS})
    started = {"workers": asked.workers or run.workers, "log": run.folder / "dask.log"}
    return DaskTaskRunner(cluster_class=local_cluster, cluster_kwargs=started)


def _connect(runner: DaskTaskRunner, run: Run, asked: Dask) -> Client:
    try:
        client = runner.client
    except OSError as error:
        raise EnvironmentFault(
            "PEN921",
            f"no Dask scheduler answers at {asked.address}: {error}",
            where="engine.dask.address",
            remedy="start one there with `dask scheduler`, correct the address, or leave it out to have a cluster "
            "started on this machine",
        ) from error
    wanted = asked.workers or (1 if asked.address else run.workers)
    try:
        client.wait_for_workers(wanted, timeout=START_SECONDS)
    except TimeoutError:
        there = len(client.scheduler_info(n_workers=-1)["workers"])
        raise EnvironmentFault(
            "PEN921",
            f"{there} Dask worker(s) came within {START_SECONDS} s, and {wanted} are asked for",
            where="engine.dask.workers" if asked.address else str(run.folder / "dask.log"),
            remedy="start workers with `dask worker ADDRESS`, or ask for fewer"
            if asked.address
            else "read the log there; ask for fewer workers if the machine is short of memory",
        ) from None
    return client


def _sent(run: Run, client: Client) -> RemoteRun:
    jobs: Counter[str] = Counter()
    for worker in client.scheduler_info(n_workers=-1)["workers"].values():
        jobs[worker["host"]] += worker["nthreads"]
    return RemoteRun(**run.model_dump() | {"workers": max(jobs.values()), "facts": machine_facts()})


def _refuse_unfit_workers(run: Run, remote: RemoteRun, client: Client) -> None:
    run.store.write(PROBE, run.id.encode())
    try:
        client.run(check_worker, remote, run.id, PREFECT_API_URL.value())
    except (ImportError, AttributeError) as error:
        raise EnvironmentFault(
            DIFFERENT,
            f"a Dask worker cannot load what it is sent: {error}",
            where="engine.dask",
            remedy="install this version of penstock on all machines, for example from one requirements.lock",
        ) from error


def local_cluster(workers: int, log: Path) -> SpecCluster:
    """A scheduler in this process and workers in others.

    Dask's own LocalCluster starts its workers by multiprocessing, which runs the user's script again in each. These
    hang on the scheduler: should this process be killed, they end.
    """
    from distributed import Scheduler
    from distributed.deploy.spec import SpecCluster
    from distributed.deploy.subprocess import SubprocessWorker

    class LoggedWorker(SubprocessWorker):  # type: ignore[misc]
        async def _start(self) -> None:
            spec = json.dumps({"cls": self.worker_class, "opts": self.worker_kwargs})
            command = [sys.executable, "-P", "-m", "dask", "spec", self.scheduler, "--spec", spec]
            with log.open("ab") as output:
                environment = {**os.environ, "PYTHONPATH": package_path()}
                self.process = await asyncio.create_subprocess_exec(
                    *command, env=environment, stdout=output, stderr=output
                )

    log.parent.mkdir(parents=True, exist_ok=True)
    options: dict[str, Any] = {"host": LOOPBACK, "nthreads": 1, "memory_limit": 0, "dashboard_address": f"{LOOPBACK}:0"}
    worker = {"cls": LoggedWorker, "options": {"worker_kwargs": options}}
    pages = {"dashboard": False, "dashboard_address": f"{LOOPBACK}:0"}
    scheduler = {"cls": Scheduler, "options": {"host": LOOPBACK, "port": 0, **pages}}
    return SpecCluster(scheduler=scheduler, workers=dict.fromkeys(range(workers), worker), worker=worker)
