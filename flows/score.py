"""Scoring: from rows and a registered model to a file or table of answers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.logging import get_run_logger

from penstock.context import Run
from penstock.executors.dask.cluster import on_cluster
from penstock.executors.pool import available_cores
from penstock.home import runs
from penstock.scoring import batch
from penstock.scoring.batch import CHUNK_ROWS, Done, Job, Order
from penstock.scoring.work import alone
from penstock.settings import Settings
from penstock.spec.engine import engine_named
from penstock.store.shared import shared_at
from penstock.tasks.score import score_rows_on

TELL_EVERY = 0.1


@task(name="prepare scoring", cache_policy=NO_CACHE)
def prepare(order: Order) -> Job:
    return batch.prepare(order)


@task(name="score rows", cache_policy=NO_CACHE)
def score_rows(job: Job) -> Done:
    """Parts that a killed flow run has finished are kept, so this goes on where that was."""
    return batch.score_rows(job, _teller())


@task(name="deliver scores", cache_policy=NO_CACHE)
def deliver(job: Job, done: Done) -> dict[str, Any]:
    return batch.deliver(job, done)


def _teller() -> batch.Progress:
    log = get_run_logger()
    shares = [0.0]

    def tell(done: int, rows: int) -> None:
        if done / rows >= shares[-1] + TELL_EVERY:
            shares.append(done / rows)
            log.info("%s of %s rows", f"{done:,}", f"{rows:,}")

    return tell


@flow(name="score")
def score(
    model: str,
    source: str,
    destination: str,
    table: str | None = None,
    reading: list[str] | None = None,
    give: list[str] | None = None,
    on_breach: list[str] | None = None,
    formulas: str | None = None,
    chunk_rows: int = CHUNK_ROWS,
    engine: str = "local",
) -> dict[str, Any]:
    """Score rows with a registered model; returns the summary of `penstock score --json`.

    `formulas`: escape or keep, by default as the pipeline file said. `engine`: local, dask (a cluster on this machine),
    or the address of a Dask scheduler.
    """
    cluster = engine_named(engine).dask
    order = Order(
        model=model,
        source=source,
        destination=destination,
        table=table,
        reading=reading or [],
        give=give or [],
        on_breach=on_breach or [],
        formulas=formulas,
        chunk_rows=chunk_rows,
    )
    job = prepare(order)
    with alone(job.folder):
        if cluster is None:
            return deliver(job, score_rows(job))
        with _scratch(job) as run:
            with on_cluster(run, cluster) as spread:
                done = score_rows_on(spread, job, _teller())
            return deliver(job, done)


@contextmanager
def _scratch(job: Job) -> Iterator[Run]:
    """A run with a store of its own, which goes when all is delivered."""
    settings = Settings.from_environment()
    settings.apply()
    name = job.folder.name
    shared = f"{settings.shared_store}/scoring/{name}" if settings.shared_store else None
    home = job.folder.with_suffix(".parts")
    yield Run(
        id=f"score-{job.name}-{name}",
        pipeline=job.name,
        home=home,
        folder=runs.folder_of(home, name),
        base=home,
        tracking_uri="",
        workers=available_cores(),
        shared_store=shared,
    )
    if shared:
        shared_at(shared).remove_all()
    shutil.rmtree(home, ignore_errors=True)
