"""SQL: the rows of a query on a database whose URL stands in an environment variable.

The URL may hold a password, so neither it nor any part of it goes into facts, messages or the store.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from penstock.errors import DataError, EnvironmentFault, PenstockError, UsageError, did_you_mean, shorten
from penstock.sources.files import Folders, file_named, resolve
from penstock.sources.location import ENVIRONMENT
from penstock.sources.options import Reading
from penstock.sources.secrets import SECRET, held
from penstock.sources.spool import spooled
from penstock.sources.sql_access import (
    IN_FILES,
    REFUSED,
    authorize,
    no_select,
    require_one_select,
    require_opened,
    require_written,
)
from penstock.sources.sql_limits import Deadline
from penstock.sources.table import Table, require_names

DRIVERS = {
    "postgresql": "psycopg2-binary",
    "psycopg2": "psycopg2-binary",
    "psycopg": "psycopg[binary]",
    "mysql": "mysqlclient",
    "MySQLdb": "mysqlclient",
    "mariadb": "mariadb",
    "oracledb": "oracledb",
    "snowflake": "snowflake-sqlalchemy",
    "bigquery": "sqlalchemy-bigquery",
    "duckdb": "duckdb-engine",
    "mssql": "pyodbc",
}
# Said before the query; PostgreSQL's dialect has an option for it. Nothing is ever committed either.
# DuckDB's queries would read any file of this machine.
READ_ONLY = {
    "sqlite": "PRAGMA query_only = ON",
    "duckdb": "SET enable_external_access = false",
    "mysql": "SET TRANSACTION READ ONLY",
    "mariadb": "SET TRANSACTION READ ONLY",
    "oracle": "SET TRANSACTION READ ONLY",
}

FETCHED_ROWS = 64
MAX_VALUE = 1 << 26
"""Bytes of a text, which a query can make as long as it likes."""


def read_sql(source: str, reading: Reading, base: Path, scratch: Path | None = None, folders: Folders = None) -> Table:
    """`source`: `env:NAME`, `secret:NAME`, or a URL without a password; a relative SQLite file starts at `base`."""
    from sqlalchemy import text
    from sqlalchemy.exc import SQLAlchemyError

    if not reading.query:
        raise UsageError(
            "PEN134",
            "a database needs a query",
            where="data.reading.query",
            remedy='add one: `reading: {query: "select * from sales"}`',
        )
    if folders is not None:
        require_written(source, base, folders)
    url = url_of(source)
    require_one_select(url, reading.query, source)
    deadline = Deadline(source)
    engine = engine_of(url, base, source, folders=None if url != source else folders)
    try:
        with engine.connect().execution_options(stream_results=True, postgresql_readonly=True) as connection:
            if engine.dialect.name in READ_ONLY:
                connection.exec_driver_sql(READ_ONLY[engine.dialect.name])
            if engine.dialect.name == "sqlite":
                require_opened(connection, source, base, folders)
                connection.connection.dbapi_connection.set_authorizer(authorize)
                connection.connection.dbapi_connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
            elif ";" in reading.query.rstrip().removesuffix(";"):
                raise no_select("holds a semicolon, as between two statements", source, reading.query)
            with deadline.kept_by(connection, engine.dialect.name):
                result = connection.execute(text(reading.query), reading.parameters or {})
                if not result.returns_rows:
                    raise no_select("returns no rows", source, reading.query)
                names = list(result.keys())
                require_names(names, source)
                facts = {"format": "sql", "database": engine.dialect.name, "query": reading.query}
                return spooled(names, _rows(result, deadline), facts, scratch, source)
    except SQLAlchemyError as error:
        deadline.require_time()
        if REFUSED.search(str(getattr(error, "orig", ""))):
            raise no_select("would do more than read from the database", source, reading.query) from None
        raise failed(error, url, source, reading.query) from None
    finally:
        engine.dispose()


def engine_of(url: str, base: Path, source: str, *, must_exist: bool = True, folders: Folders = None) -> Any:
    """What speaks to the database. `must_exist`: a SQLite file that is not there is an error, and is not made."""
    from sqlalchemy import create_engine
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError

    try:
        return create_engine(_from_base(url, base, source, must_exist, folders))
    except NoSuchModuleError as error:
        raise _no_driver(shorten(_without_secrets(str(error), url), 100), url.partition(":")[0], source) from None
    except (ArgumentError, ValueError):
        raise UsageError(
            "PEN134", "the text is not a database URL", where=source, remedy="write it like postgresql://user@host/name"
        ) from None
    except ModuleNotFoundError as error:
        raise _no_driver(f"no module named '{error.name}'", error.name or "", source) from None


def _rows(result: Any, deadline: Deadline) -> Iterator[Any]:
    while part := result.fetchmany(FETCHED_ROWS):
        deadline.require_time()
        yield from part


def url_of(source: str) -> str:
    if source.startswith(SECRET):
        return held(source.removeprefix(SECRET))
    if not source.startswith(ENVIRONMENT):
        return source
    name = source.removeprefix(ENVIRONMENT)
    url = os.environ.get(name)
    if not url:
        raise UsageError(
            "PEN134",
            f"the environment variable {name} is not set",
            where="data.source",
            remedy=f"set it to the database's URL before the run: export {name}=postgresql://user:password@host/name",
        )
    return url


def _from_base(url: str, base: Path, source: str, must_exist: bool, folders: Folders) -> Any:
    from sqlalchemy.engine import make_url

    parsed = make_url(url)
    file = parsed.database
    here = parsed.get_backend_name() == "sqlite" or (parsed.get_backend_name() in IN_FILES and url == source)
    if here and file and file != ":memory:" and not file.startswith("file:"):
        path = resolve(file_named(file, base), folders)
        if must_exist and not path.is_file():
            beside = path.parent.glob("*") if source == url else ()
            near = [found.name for found in beside if found.suffix in (".db", ".sqlite", ".sqlite3")]
            raise UsageError(
                "PEN101",
                "cannot read the data: there is no such database file",
                where=source,
                remedy=did_you_mean(path.name, near) if near else "check the path",
            )
        if folders is not None and parsed.get_backend_name() == "sqlite":
            # A journal that lies beside it would be played, and may name any file as one to be removed.
            return parsed.set(database=f"file:{quote(str(path))}", query={"mode": "ro", "uri": "true"})
        return parsed.set(database=str(path))
    return parsed


def failed(error: Exception, url: str, source: str, query: str) -> PenstockError:
    from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

    cause = getattr(error, "orig", None) or error
    words = shorten(_without_secrets(str(cause).strip().split("\n")[0], url), 300)
    reached = "no such" not in words and "syntax" not in words
    if isinstance(error, DBAPIError) and isinstance(error, (OperationalError, InterfaceError)) and reached:
        return EnvironmentFault(
            "PEN135",
            f"the database does not answer: {words}",
            where=source,
            remedy="check its URL, the network, the user",
        )
    return DataError("PEN135", f"the query failed: {words}", where=f"{source}: {shorten(query, 200)}", remedy=(
        "try the query in the database's own client, and correct it"
    ))  # fmt: skip


def _without_secrets(words: str, url: str) -> str:
    """The words of a driver, without the URL or its parts."""
    from sqlalchemy.engine import make_url

    secrets = {url}
    try:
        parsed = make_url(url)
    except Exception:
        return "the URL cannot be read"
    secrets |= {parsed.render_as_string(hide_password=False), str(parsed.password or ""), parsed.host or ""}
    secrets |= {value for value in parsed.query.values() if isinstance(value, str) and len(value) > 3}
    userinfo = url.partition("://")[2].rpartition("@")[0]
    secrets |= {userinfo, userinfo.partition(":")[2]}
    for secret in sorted(secrets - {""}, key=len, reverse=True):
        words = words.replace(secret, "***")
    return words


def _no_driver(what: str, driver: str, where: str) -> EnvironmentFault:
    package = DRIVERS.get(driver.partition("+")[2] or driver, DRIVERS.get(driver.partition("+")[0], driver))
    return EnvironmentFault(
        "PEN136", f"the database's driver is not installed: {what}", where=where, remedy=f"pip install '{package}'"
    )
