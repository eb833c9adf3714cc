"""Start a flow in this process against a Prefect API, with Prefect's own logging kept to the run's log file."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from prefect.events.worker import EventsWorker
from prefect.logging.configuration import setup_logging
from prefect.logging.handlers import APILogWorker
from prefect.settings import (
    PREFECT_API_AUTH_STRING,
    PREFECT_API_KEY,
    PREFECT_API_URL,
    PREFECT_FLOWS_HEARTBEAT_FREQUENCY,
    temporary_settings,
)

from penstock.document.run import RunDocument
from penstock.flows.monitor import monitor
from penstock.flows.retrain import Cause, retrain
from penstock.flows.score import score
from penstock.flows.training import flow_of
from penstock.scoring.batch import Order
from penstock.servers.local import auth_for
from penstock.settings import Settings
from penstock.tasks.ingest import Content

NOISY = (
    "prefect",
    "prefect._internal",
    "EventsWorker",
    "APILogWorker",
    "great_expectations",
    "mlflow",
    "distributed",
    "urllib3",
    "penstock",
)


def launch(
    problem: str,
    pipeline: str,
    overrides: list[str],
    sample: int | None,
    run_id: str,
    api_url: str,
    log: Path,
    given: Content | None = None,
) -> RunDocument:
    """Run a pipeline as a flow run named by the run's id."""
    with _talking_to(api_url), _logging_to(log):
        flow = flow_of(problem).with_options(flow_run_name=run_id)
        document: RunDocument = flow(pipeline=pipeline, overrides=overrides, sample=sample, run_id=run_id, given=given)
        return document


def launch_score(order: Order, engine: str, api_url: str, log: Path) -> dict[str, Any]:
    """Score as a flow run."""
    with _talking_to(api_url), _logging_to(log):
        summary: dict[str, Any] = score(**order.model_dump(), engine=engine)
        return summary


def launch_retrain(
    pipeline: str, overrides: list[str], cause: Cause, run_id: str, api_url: str, log: Path
) -> dict[str, Any]:
    """Train a challenger as a flow run named by the run's id."""
    with _talking_to(api_url), _logging_to(log):
        flow = retrain.with_options(flow_run_name=run_id)
        told: dict[str, Any] = flow(pipeline=pipeline, overrides=overrides, cause=cause, run_id=run_id)
        return told


def launch_monitor(run_id: str, api_url: str, log: Path, **asked: Any) -> dict[str, Any]:
    """Look for drift as a flow run named by the run's id."""
    with _talking_to(api_url), _logging_to(log):
        found: dict[str, Any] = monitor.with_options(flow_run_name=run_id)(run_id=run_id, **asked)
        return found


@contextmanager
def _talking_to(api_url: str) -> Iterator[None]:
    # A heartbeat would be joined for a second at the end of the flow.
    with temporary_settings({**at(api_url), PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
        yield


def at(api_url: str) -> dict[Any, Any]:
    """Prefect's settings for an API, with what opens it."""
    auth = auth_for(Settings.from_environment(), api_url)
    return {PREFECT_API_URL: api_url, **({PREFECT_API_AUTH_STRING: auth, PREFECT_API_KEY: None} if auth else {})}


@contextmanager
def _logging_to(log: Path) -> Iterator[None]:
    """Prefect prints every error with its traceback; people get our words on the console, the log gets all of it."""
    setup_logging()
    log.parent.mkdir(parents=True, exist_ok=True)
    file = RunLog(log, encoding="utf-8")
    file.setFormatter(logging.Formatter("%(asctime)s %(levelname)-7s %(name)s - %(message)s"))
    loggers = [logging.getLogger(name) for name in NOISY]
    before = [(logger.handlers, logger.propagate) for logger in loggers]
    raised, logging.raiseExceptions = logging.raiseExceptions, False  # a log that cannot be written ends no run
    for logger in loggers:
        logger.handlers, logger.propagate = [file], False
    try:
        yield
    finally:
        # What waits to be sent goes out while the API is still there.
        APILogWorker.drain_all(timeout=5)
        EventsWorker.drain_all(timeout=10)
        for logger, (handlers, propagate) in zip(loggers, before, strict=True):
            logger.handlers, logger.propagate = handlers, propagate
        file.close()
        logging.raiseExceptions = raised


class RunLog(logging.FileHandler):
    """A log whose last lines may be lost on a full disk."""

    def close(self) -> None:
        with suppress(OSError):
            super().close()
