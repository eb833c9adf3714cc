"""MLflow imported without its noise, and first contact with a tracking store."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import re
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import requests
import sqlalchemy
from filelock import FileLock, Timeout
from sqlalchemy.exc import SQLAlchemyError

from penstock.errors import EnvironmentFault
from penstock.home.disk import disk_fault

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")
os.environ.setdefault("MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT", "true")
with warnings.catch_warnings():
    warnings.filterwarnings("ignore", message=".*Any type hint is inferred as AnyType", category=UserWarning)
    import mlflow
    import mlflow.pyfunc
    from mlflow.store.db.utils import _initialize_tables

# Migrations and registrations are reported step by step, database errors with a traceback besides being raised.
logging.getLogger("alembic").setLevel(logging.WARNING)
logging.getLogger("mlflow.store.model_registry.abstract_store").setLevel(logging.WARNING)
logging.getLogger("mlflow.store.db.utils").setLevel(logging.CRITICAL)

__all__ = ["Client", "connect", "mlflow", "patiently", "shown"]

T = TypeVar("T")
logger = logging.getLogger("penstock.tracking")

MIGRATION_SECONDS = 180
PAUSES = (1, 2, 4, 8, 16, 32, 60)  # seconds between tries
LOST = (requests.ConnectionError, requests.Timeout, requests.exceptions.RetryError, sqlalchemy.exc.OperationalError)
FIRST_CONTACT = {"MLFLOW_HTTP_REQUEST_MAX_RETRIES": "1", "MLFLOW_HTTP_REQUEST_TIMEOUT": "10"}


class Client:
    """An MlflowClient whose calls fail with PEN904 when MLflow cannot be reached."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self._client = mlflow.MlflowClient(tracking_uri=uri, registry_uri=uri)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._client, name)

        @functools.wraps(method)
        def call(*arguments: Any, **options: Any) -> Any:
            return patiently(self.uri, lambda: method(*arguments, **options))

        return call


@functools.cache
def connect(uri: str) -> Client:
    """A client that has had an answer from both the tracking store and the registry."""
    try:
        if re.match(r"(sqlite|postgresql|mysql|mssql)(\+\w+)?:", uri):
            _probe_database(uri)
        with _migration_lock(uri), _impatient():
            _create(uri)
            client = Client(uri)
            client.search_experiments(max_results=1)
            client.search_registered_models(max_results=1)
            return client
    except mlflow.MlflowException as error:
        raise unreachable(uri, _upgrade_hint(error) or str(error.message)) from None
    except SQLAlchemyError as error:
        raise unreachable(uri, _reason(error)) from None


def patiently(uri: str, action: Callable[[], T]) -> T:
    """Do it; where a database has gone away in the midst of a run, again, until it is back.

    A server that has gone away is waited for by MLflow's own client.
    """
    for seconds in PAUSES if uri.startswith(("postgresql", "mysql", "mssql")) else ():
        try:
            with connected(uri):
                return action()
        except EnvironmentFault as fault:
            logger.warning("%s; trying again in %d s", fault.what, seconds)
            time.sleep(seconds)
    with connected(uri):
        return action()


@contextlib.contextmanager
def connected(uri: str) -> Iterator[None]:
    """Turn a lost connection into an error for people; other errors of MLflow pass."""
    try:
        yield
    except (mlflow.MlflowException, *LOST) as error:
        lost = _lost_connection(error)
        if lost is None:
            raise
        raise unreachable(uri, _reason(lost)) from None


def shown(uri: str) -> str:
    """The address without the user and password that may stand in it."""
    return re.sub(r"://[^/@]*@", "://", uri).partition("?")[0]


def unreachable(uri: str, reason: str) -> EnvironmentFault:
    if uri.startswith("http"):
        remedy = "start the server (mlflow server), correct MLFLOW_TRACKING_URI, or unset it to use the local database"
    else:
        remedy = "see that the database is there and can be opened, or correct MLFLOW_TRACKING_URI"
    where = shown(uri)
    return EnvironmentFault("PEN904", f"MLflow does not answer at {where}: {reason}", where=where, remedy=remedy)


def _probe_database(uri: str) -> None:
    """MLflow itself would try for minutes to open a database that is not there."""
    path = _sqlite_path(uri)
    if path is not None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _no_place(uri, path, error) from None
    try:
        engine = sqlalchemy.create_engine(uri)
        try:
            sqlalchemy.inspect(engine).get_table_names()
        finally:
            engine.dispose()
    except (SQLAlchemyError, ImportError) as error:
        raise unreachable(uri, _reason(error)) from None


def _create(uri: str) -> None:
    """A new SQLite database, whole or not at all: MLflow cannot go on from half of its migrations."""
    path = _sqlite_path(uri)
    if path is None or str(path).startswith("file:") or (path.exists() and path.stat().st_size):
        return
    unfinished = path.with_name(f"{path.name}.new")
    try:
        unfinished.unlink(missing_ok=True)
        engine = sqlalchemy.create_engine(sqlalchemy.make_url(uri).set(database=str(unfinished)))
        try:
            _initialize_tables(engine)
        finally:
            engine.dispose()
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def _no_place(uri: str, path: Path, error: OSError) -> EnvironmentFault:
    fault = disk_fault(error, path)
    return fault if isinstance(fault, EnvironmentFault) else unreachable(uri, error.strerror or str(error))


@contextlib.contextmanager
def _migration_lock(uri: str) -> Iterator[None]:
    """One process at a time creates the tables of a database: MLflow's own migration does not bear company."""
    path = _sqlite_path(uri)
    if path is None:
        with _advisory_lock(uri) if uri.startswith("postgresql") else contextlib.nullcontext():
            yield
        return
    try:
        lock = FileLock(path.with_name(path.name + ".lock"), timeout=MIGRATION_SECONDS)
        lock.acquire()
    except Timeout:
        raise unreachable(uri, f"another process has held its lock for {MIGRATION_SECONDS} s") from None
    except OSError as error:
        raise _no_place(uri, path, error) from None
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def _advisory_lock(uri: str) -> Iterator[None]:
    """Held by a connection: PostgreSQL drops it when this process dies."""
    engine = sqlalchemy.create_engine(uri, poolclass=sqlalchemy.NullPool)
    try:
        with engine.connect() as connection:
            connection.execute(sqlalchemy.text("select pg_advisory_lock(hashtext('penstock: tables of mlflow'))"))
            yield
    except sqlalchemy.exc.OperationalError as error:
        raise unreachable(uri, _reason(error)) from None


@contextlib.contextmanager
def _impatient() -> Iterator[None]:
    """Give up soon on a server that is down, unless the user has said how long to try."""
    added = {name: value for name, value in FIRST_CONTACT.items() if name not in os.environ}
    os.environ.update(added)
    retries = logging.getLogger("urllib3.connectionpool")
    level = retries.level
    retries.setLevel(logging.ERROR)
    try:
        yield
    finally:
        retries.setLevel(level)
        for name in added:
            os.environ.pop(name, None)


def _sqlite_path(uri: str) -> Path | None:
    if not uri.startswith("sqlite:"):
        return None
    database = sqlalchemy.make_url(uri).database
    return Path(database) if database and database != ":memory:" else None


def _lost_connection(error: BaseException) -> BaseException | None:
    """The network or database error below MLflow's own, if there is one."""
    below: BaseException | None = error
    while below is not None:
        if isinstance(below, LOST):
            return below
        below = below.__cause__ or below.__context__
    return None


def _reason(error: BaseException) -> str:
    """A few words: `Connection refused` stands deep in a text of several lines."""
    found = re.search(r"\[Errno -?\d+\] ([^'\")\]]+)", str(error))
    return found.group(1) if found else str(error).splitlines()[0]


def _upgrade_hint(error: mlflow.MlflowException) -> str | None:
    if "out-of-date database schema" in str(error.message):
        return "the database was made by an older MLflow; back it up, then run 'mlflow db upgrade' with this URI"
    return None
