"""The far side of a cluster: a run in the hands of another machine.

A Dask worker does a stage as the flow's machine would: it looks into the store, and gives the numeric part to a worker
process of its own, so that limits are enforced by killing there too. What is to be noted goes home by the scheduler.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import platform
import threading
import urllib.request
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from prefect.events.worker import EventsWorker
from prefect.futures import PrefectFuture
from prefect.logging.handlers import APILogWorker

from penstock.actions.codedigest import PACKAGE
from penstock.actions.records import LIBRARIES, installed
from penstock.context import Arguments, Run
from penstock.errors import EnvironmentFault
from penstock.executors.caching import perform
from penstock.executors.pool import close_pool, is_busy, memory_limit, pool_of
from penstock.home import runs
from penstock.plugins import releases
from penstock.settings import Settings
from penstock.stage import Stage
from penstock.store import digest_of

if TYPE_CHECKING:
    from distributed import Worker

DIFFERENT, CUT_OFF, LOST = "PEN922", "PEN923", "PEN924"
CODE = {"penstock": "other code of ours", "plug-ins": "other code of plug-ins"}
ALSO_COMPARED = ("matplotlib", "mapie", "fairlearn", "torch", "prefect", "distributed")
PROBE = "reachable"
IDLE_SECONDS = 600.0
ANSWER_SECONDS = 5.0

P = ParamSpec("P")
R = TypeVar("R")


class RemoteRun(Run):
    """A run as it is sent. `workers`: how many jobs go on at once on one machine; `facts`: what the sender runs."""

    facts: dict[str, str]

    def localised(self) -> LocalisedRun:
        """The run on the machine of the Dask worker that calls this."""
        from distributed import get_worker

        worker = get_worker()
        self.refuse_difference(worker.address)
        return self.localised_at(worker)

    def localised_at(self, worker: Worker) -> LocalisedRun:
        home = Settings.from_environment().home if self.shared_store else self.home
        places = {"home": home, "folder": runs.folder_of(home, self.id)}
        limits = {"workers": worker.state.nthreads, "memory_mb": int(memory_limit(self))}
        run = LocalisedRun(**self.model_dump(exclude={"facts"}) | places | limits)
        _postpone_shutdown(run)
        return run

    def refuse_difference(self, address: str) -> None:
        """Results are the same bits on every machine only where all machines run the same."""
        here = machine_facts()
        differing = [name for name in self.facts if self.facts[name] != here[name]]
        if differing:
            name = differing[0]
            found = CODE.get(name, f"{name} {here[name]} there, {self.facts[name]} here")
            raise EnvironmentFault(
                DIFFERENT,
                f"a Dask worker has not what this machine has: {found}",
                where=address,
                remedy="install the same versions on all machines, for example from one requirements.lock",
            )

    def refuse_distance(self, probe: str, api_url: str, worker: Worker) -> None:
        """A worker must see the same store, and the Prefect server that its tasks report to."""
        if self.localised_at(worker).store.read(PROBE) != probe.encode():
            raise EnvironmentFault(
                CUT_OFF,
                f"a Dask worker does not see the store at {self.shared_store or self.home}",
                where=worker.address,
                remedy="set PENSTOCK_STORE to a bucket or folder that all machines see",
            )
        try:
            urllib.request.urlopen(f"{api_url}/health", timeout=ANSWER_SECONDS).close()  # noqa: S310
        except (OSError, ValueError) as error:
            raise EnvironmentFault(
                CUT_OFF,
                f"a Dask worker does not reach the Prefect server at {api_url}: {error}",
                where=worker.address,
                remedy="set PREFECT_API_URL to a server that all machines reach",
            ) from None


class LocalisedRun(Run):
    """A run on a Dask worker; its journal is elsewhere."""

    def note(self, event: dict[str, Any]) -> None:
        from distributed import get_worker

        get_worker().log_event(topic_of(self.id), json.loads(json.dumps(event, default=str)))


def topic_of(run_id: str) -> str:
    return f"penstock {run_id}"


def perform_here(stage: Stage[P, R], arguments: Arguments) -> R:
    """On a Dask worker: as the flow's machine would, but that what it notes goes home."""
    return perform(stage, {**arguments, "run": arguments["run"].localised()})


async def check_worker(remote: RemoteRun, probe: str, api_url: str, dask_worker: Worker) -> None:
    """Called on each worker before the first stage, so that its processes load their libraries meanwhile."""
    remote.refuse_difference(dask_worker.address)
    await asyncio.to_thread(remote.refuse_distance, probe, api_url, dask_worker)
    await asyncio.to_thread(pool_of, remote.localised_at(dask_worker))


async def shut_down(remote: RemoteRun) -> None:
    """Called on each worker after the last stage: end the run's processes, and send what Prefect still holds back."""
    await asyncio.to_thread(_end, remote)
    await asyncio.to_thread(APILogWorker.drain_all, timeout=ANSWER_SECONDS)
    await asyncio.to_thread(EventsWorker.drain_all, timeout=ANSWER_SECONDS)


def wait_for(future: PrefectFuture[R], stage: str) -> R:
    """The result of a stage that was sent."""
    from distributed import CancelledError
    from distributed.scheduler import KilledWorker

    try:
        return future.result()
    except KilledWorker as error:
        what = f"every Dask worker that was given '{stage}' died of it, the last at {error.last_worker.address}"
    except CancelledError as error:
        what = f"the Dask cluster was lost while it did '{stage}': {error}"
    raise EnvironmentFault(
        LOST,
        what,
        where="engine.dask",
        remedy="look into the logs of the scheduler and the workers (is there enough memory?); then run again: "
        "finished stages are kept",
    )


@cache
def machine_facts() -> dict[str, str]:
    """What results may hang on, on this machine."""
    versions = {name: installed(name) for name in LIBRARIES + ALSO_COMPARED}
    plug_ins = {package: _sources(package) for package in releases()}
    code = {"penstock": digest_of(_sources(PACKAGE.name)), "plug-ins": digest_of(plug_ins)}
    return {"python": platform.python_version(), **versions, **code}


def _sources(package: str) -> dict[str, str]:
    """The digest of each file of Python code of an installed package."""
    spec = find_spec(package)
    folders = (spec and spec.submodule_search_locations) or []
    files = [
        (os.path.relpath(path, top), path)
        for top in folders
        for folder, _, names in os.walk(top, followlinks=True)
        for path in (Path(folder, name) for name in names if name.endswith(".py"))
    ]
    if spec and spec.origin and not folders:
        files.append((package, Path(spec.origin)))
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files}


_ends: dict[str, threading.Timer] = {}
_ends_lock = threading.Lock()


def _postpone_shutdown(run: Run) -> None:
    """A run that was killed takes no leave: its processes are ended when they have been idle for a while."""
    with _ends_lock:
        if timer := _ends.pop(run.id, None):
            timer.cancel()
        _ends[run.id] = timer = threading.Timer(IDLE_SECONDS, _end_if_idle, (run,))
        timer.daemon = True
        timer.start()


def _end_if_idle(run: Run) -> None:
    if is_busy(run):
        _postpone_shutdown(run)
    else:
        _end(run)


def _end(run: Run) -> None:
    with _ends_lock:
        if timer := _ends.pop(run.id, None):
            timer.cancel()
        close_pool(run, keep=False)  # a cluster has others to serve
