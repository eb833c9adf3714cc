"""Scoring: from rows and a registered model to a file or table of answers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from prefect import flow

from penstock import runs
from penstock.context import Run
from penstock.flows.cluster import on_cluster
from penstock.pool import available_cores
from penstock.scoring.batch import CHUNK_ROWS, Job, Order
from penstock.scoring.work import alone
from penstock.settings import Settings
from penstock.shared import shared_at
from penstock.spec.engine import engine_named
from penstock.tasks.score import deliver, prepare, score_rows, score_rows_on


@flow(name="score")
def score(
    model: str,
    source: str,
    destination: str,
    table: str | None = None,
    reading: list[str] | None = None,
    give: list[str] | None = None,
    on_breach: list[str] | None = None,
    chunk_rows: int = CHUNK_ROWS,
    engine: str = "local",
) -> dict[str, Any]:
    """Score rows with a registered model; returns the summary of `penstock score --json`.

    `engine`: local, dask (a cluster on this machine), or the address of a Dask scheduler.
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
        chunk_rows=chunk_rows,
    )
    job = prepare(order)
    with alone(job.folder):
        if cluster is None:
            return deliver(job, score_rows(job))
        with _scratch(job) as run:
            with on_cluster(run, cluster) as spread:
                done = score_rows_on(spread, job)
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
