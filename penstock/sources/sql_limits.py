"""A query ends: one that computes for ever without giving a row is interrupted."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from penstock.errors import DataError, UsageError

MAX_SECONDS = "PENSTOCK_MAX_QUERY_SECONDS"
DEFAULT_SECONDS = 3600
AGAIN = 1.0
"""Seconds between interruptions: one that comes between two fetches is not heard."""
PROGRESS = 100_000
"""Steps of SQLite's machine."""
# Said to servers whose drivers cannot interrupt a query.
TIMEOUTS = {
    "mysql": "SET max_execution_time = {milliseconds}",
    "mariadb": "SET max_statement_time = {seconds}",
    "snowflake": "ALTER SESSION SET STATEMENT_TIMEOUT_IN_SECONDS = {seconds}",
}


def max_seconds() -> int:
    text = os.environ.get(MAX_SECONDS) or str(DEFAULT_SECONDS)
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(
            "PEN149",
            f"'{text}' is no number of seconds",
            where=MAX_SECONDS,
            remedy=f"write a whole number: export {MAX_SECONDS}={DEFAULT_SECONDS}",
        )
    return int(text)


class Deadline:
    """When a query must have given its last row."""

    def __init__(self, source: str) -> None:
        self.source, self.seconds = source, max_seconds()
        self.end = time.monotonic() + self.seconds

    @property
    def passed(self) -> bool:
        return time.monotonic() >= self.end

    def require_time(self) -> None:
        if self.passed:
            raise DataError(
                "PEN169",
                f"the query takes more than {self.seconds:,} seconds",
                where=self.source,
                remedy="try it in the database's own client, and make it simpler; if it needs that long, allow it: "
                f"export {MAX_SECONDS}={self.seconds * 2}",
            ) from None

    @contextmanager
    def kept_by(self, connection: Any, dialect: str) -> Iterator[None]:
        """While the body runs, the connection's query is interrupted once its time is over."""
        driver = connection.connection.dbapi_connection
        if dialect in TIMEOUTS:
            said = TIMEOUTS[dialect].format(seconds=self.seconds, milliseconds=1000 * self.seconds)
            connection.exec_driver_sql(said)
        elif dialect == "mssql":
            driver.timeout = self.seconds
        if isinstance(driver, sqlite3.Connection):
            driver.set_progress_handler(lambda: self.passed, PROGRESS)
            yield
            return
        over = threading.Event()
        watch = threading.Thread(target=self._interrupt, args=(driver, over), daemon=True)
        watch.start()
        try:
            yield
        finally:
            over.set()
            watch.join()

    def _interrupt(self, driver: Any, over: threading.Event) -> None:
        stop = getattr(driver, "interrupt", None) or getattr(driver, "cancel", None)
        wait = float(self.seconds)
        while stop and not over.wait(wait):
            with suppress(Exception):  # drivers raise what they like
                stop()
            wait = AGAIN
