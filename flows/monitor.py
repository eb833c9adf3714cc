"""Monitoring: recent rows against the rows that a registered model was made from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from prefect import flow

from penstock.context import Engine, Run
from penstock.errors import UsageError, did_you_mean
from penstock.executors.flow_runs import id_of_flow_run, take_own_name
from penstock.executors.pool import close_pool, pool_of
from penstock.flows.drift_event import emit_drift
from penstock.flows.lifecycle import recovery
from penstock.home import runs
from penstock.model import load_bundle
from penstock.reporting.notify import notify as send
from penstock.reporting.notify import require_known
from penstock.settings import Settings
from penstock.tasks.find_drift import find_drift
from penstock.tasks.kept import fetch_kept
from penstock.tasks.recent import read_recent
from penstock.tasks.tell_drift import VERSION_TAG, tell_drift
from penstock.tracking import KIND_TAG, MONITOR, RUN_TAG, Tracking

RATE = 0.01


@flow(name="monitor")
def monitor(
    model: str,
    source: str,
    predictions: str | None = None,
    labels: str | None = None,
    rate: float = RATE,
    ignore: list[str] | None = None,
    reading: list[str] | None = None,
    notify: list[str] | None = None,
    run_id: str | None = None,
    engine: Engine = "prefect",
) -> dict[str, Any]:
    """Compare recent rows with those of a registered model; returns the document of `penstock monitor --json`.

    `notify`: who is told of drift, by names in the setting PENSTOCK_WEBHOOKS.
    """
    settings = Settings.from_environment()
    require_known(settings, notify or [])
    name, _, which = model.partition("@")
    if not name or not 0 < rate < 1:
        raise UsageError(
            "PEN606",
            f"'{model}' names no model" if not name else f"a rate of false alarms lies between 0 and 1, not at {rate}",
            where="monitor",
            remedy="write name@champion or name@3" if not name else "0.01 is one batch of a hundred",
        )
    with _open(name, which or "champion", run_id, engine) as (run, tracking):
        version = tracking.registry.version(name, which or "champion")
        file = tracking.registry.download(name, version.version, run.home / "downloads")
        bundle = load_bundle(file)
        schema, recorded = bundle.schema, bundle.predictions.recorded
        _require_features(ignore or [], [column.name for column in schema.features])
        key, outcomes = schema.named("key"), schema.outcomes
        recent = read_recent(run, source, predictions, labels, key, outcomes, reading or [], recorded)
        found = find_drift(run, file, fetch_kept(run, version), recent, rate, ignore or [])
        document = tell_drift(run, version.version, source, found)
        if document["drifted"]:
            if run.flow_run:
                emit_drift(document)
            text = (
                f"Penstock: the data of {name} have drifted: {', '.join(document['words'])}. See {document['report']}"
            )
            send(settings, notify or [], "drift", text, {"model": name, "version": version.version, "run": run.id})
        return document


def _require_features(ignore: list[str], features: list[str]) -> None:
    """A column that is misspelt would be watched on without a word."""
    for name in ignore:
        if name not in features:
            raise UsageError(
                "PEN607",
                f"'{name}' is no column that the model was trained on, so that it is not compared anyway",
                where="--ignore",
                remedy=did_you_mean(name, features),
            )


@contextmanager
def _open(name: str, which: str, run_id: str | None, engine: Engine) -> Iterator[tuple[Run, Tracking]]:
    """A run beside those that train: it waits for none of them, and tells of itself in the same experiment."""
    settings = Settings.from_environment()
    settings.apply()
    tracking = Tracking(settings.tracking_uri, settings.artifact_root)
    version = tracking.registry.version(name, which)
    announced = run_id or runs.begin(settings.home, name)
    run = Run(
        id=announced,
        pipeline=name,
        home=settings.home,
        folder=runs.folder_of(settings.home, announced),
        base=Path.cwd(),
        tracking_uri=settings.tracking_uri,
        artifact_root=settings.artifact_root,
        shared_store=settings.shared_store,
        engine=engine,
        flow_run=id_of_flow_run(),
    )
    with ExitStack() as closing:
        if run_id is None:
            closing.enter_context(runs.announced(settings.home, run.id, settings.artifact_root))
            take_own_name(run.id)
        pool_of(run)
        closing.callback(close_pool, run)
        if engine == "prefect":
            closing.enter_context(recovery(settings, tracking))
        tags = {RUN_TAG: run.id, KIND_TAG: MONITOR, VERSION_TAG: version.version}
        run = run.model_copy(update={"mlflow_run": tracking.start_run(name, run.id, tags)})
        ended = "FAILED"
        try:
            yield run, tracking
            ended = "FINISHED"
        except KeyboardInterrupt:
            ended = "KILLED"
            raise
        finally:
            tracking.end_run(run.mlflow_run, ended)
