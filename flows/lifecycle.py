"""The life of a run: lock, recovery of killed runs, tracking, workers; closed in order however it ends."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from uuid import UUID

import httpx
from filelock import FileLock, Timeout

from penstock.context import Engine, Run
from penstock.errors import PenstockError
from penstock.executors.dask.cluster import on_cluster
from penstock.executors.flow_runs import close_dead_prefect_runs, id_of_flow_run, take_own_name, wait_until_recorded
from penstock.executors.pool import available_cores, close_pool, pool_of
from penstock.flows.secrets import fetch_secret
from penstock.home import runs
from penstock.home.disk import full_disk
from penstock.problems import find
from penstock.reporting.notify import notify, require_known
from penstock.settings import Settings
from penstock.spec.paths import allowed, named_by_user
from penstock.spec.pipeline import Spec
from penstock.store import digest_of
from penstock.tracking import Tracking


@contextmanager
def open_run(
    spec: Spec,
    pipeline: str,
    run_id: str | None,
    engine: Engine,
    cause: str | None = None,
    overrides: Sequence[str] = (),
) -> Iterator[Run]:
    """A run, ready for its stages. `cause`: why it was begun, where that is not simply that someone did.

    `overrides`: what the user has given beside the pipeline file.
    """
    settings = Settings.from_environment()
    settings.apply()
    require_known(settings, spec.notify)
    run = _describe(spec, pipeline, settings, run_id or runs.begin(settings.home, spec.name), engine)
    run = run.model_copy(update={"cause": cause, "named_by_user": named_by_user(spec, overrides)})
    if engine == "plan":
        yield run
        return
    with ExitStack() as closing:
        if run_id is None:
            # Whoever announced the run before its flow began also withdraws it, after its flow has ended.
            closing.enter_context(runs.announced(settings.home, run.id, settings.artifact_root))
            take_own_name(run.id)
        closing.enter_context(_only_one(run))
        if spec.engine.dask and engine == "prefect":
            run = closing.enter_context(on_cluster(run, spec.engine.dask))
        pool_of(run)
        closing.callback(close_pool, run)
        closing.enter_context(_fixed_threads(run.threads))
        tracking = Tracking(run.tracking_uri, run.artifact_root)
        if engine == "prefect":
            closing.enter_context(recovery(settings, tracking))
        run = run.model_copy(update={"mlflow_run": tracking.start_run(spec.name, run.id, _tags(run, spec))})
        ended = "FAILED"
        try:
            for key, source in spec.data.sources.items():
                fetch_secret(source, key)
            yield run
            ended = "FINISHED"
        except (KeyboardInterrupt, SystemExit):  # by a person, or by Prefect when its worker has died
            ended = "KILLED"
            raise
        except Exception as error:
            _tell_of_failure(settings, spec, run, full_disk(error, run.home, run.artifact_root) or error)
            raise
        finally:
            tracking.end_run(run.mlflow_run, ended)


def _tell_of_failure(settings: Settings, spec: Spec, run: Run, error: Exception) -> None:
    """Our own words only: those of libraries may hold anything."""
    reason = f"{error.code}: {error.what}" if isinstance(error, PenstockError) else type(error).__name__
    facts = {"pipeline": spec.name, "run": run.id, "reason": reason}
    notify(settings, spec.notify, "run-failed", f"Penstock: run {run.id} failed. {reason}", facts)


@contextmanager
def recovery(settings: Settings, tracking: Tracking) -> Iterator[None]:
    """Close what killed runs of this home left open: now, and at the end what Prefect's server learnt of them since."""
    dead = runs.dead(settings.home)
    if not dead:
        yield
        return
    tracking.close_dead_runs(dead)
    close_dead_prefect_runs(dead)
    try:
        yield
    finally:
        with suppress(httpx.HTTPError):  # the server is gone: the next run looks again
            if flow_run := id_of_flow_run():
                wait_until_recorded(UUID(flow_run))
            close_dead_prefect_runs(dead)
            for run_id in dead:
                runs.finish(settings.home, run_id)


def _describe(spec: Spec, pipeline: str, settings: Settings, run_id: str, engine: Engine) -> Run:
    base = Path(pipeline).resolve().parent
    return Run(
        id=run_id,
        pipeline=spec.name,
        home=settings.home,
        folder=runs.folder_of(settings.home, run_id),
        base=base,
        folders=allowed(base),
        tracking_uri=settings.tracking_uri,
        artifact_root=settings.artifact_root,
        shared_store=settings.shared_store,
        predictions=find(spec.problem).predictions.partition(":")[0],
        git_commit=_git_commit(base),
        flow_run=id_of_flow_run(),
        engine=engine,
        workers=spec.limits.workers or available_cores(),
        threads=spec.limits.threads,
        seconds=spec.limits.seconds,
        memory_mb=spec.limits.memory_mb,
    )


@contextmanager
def _only_one(run: Run) -> Iterator[None]:
    """Runs of one pipeline go one after the other."""
    path = run.home / "locks" / f"{run.pipeline}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        run.note({"event": "waiting", "for": f"another run of '{run.pipeline}'"})
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _fixed_threads(threads: int) -> Iterator[None]:
    """Thread counts change the last bits of results, so they are part of the spec here as in the workers."""
    import sklearn  # noqa: F401  loads the libraries whose threads are to be fixed
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=threads):
        yield


def _tags(run: Run, spec: Spec) -> dict[str, str]:
    return {
        "penstock.run": run.id,
        "penstock.spec_digest": digest_of(spec),
        "penstock.git_commit": run.git_commit or "",
        "penstock.prefect_flow_run": run.flow_run or "",
        **({"penstock.cause": run.cause} if run.cause else {}),
        "penstock.question": spec.asked,
        "penstock.inputs": spec.inputs,
        "penstock.target": spec.data.target or "none: groups are found without one",
    }


def _git_commit(folder: Path) -> str | None:
    command = ["git", "-C", str(folder), "rev-parse", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
