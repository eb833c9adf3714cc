"""What a query may do, and which databases a pipeline file may name."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any

from penstock.errors import DataError, UsageError, shorten
from penstock.sources.files import Folders, file_named, resolve
from penstock.sources.hosts import require_allowed
from penstock.sources.location import ENVIRONMENT
from penstock.sources.secrets import SECRET

READS = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
    sqlite3.SQLITE_INSERT,
    sqlite3.SQLITE_UPDATE,
    sqlite3.SQLITE_DELETE,
}
REFUSED = re.compile(r"read.?only|not authorized|authorization denied|one statement", re.IGNORECASE)
# What a URL in a pipeline file may say beside host and name: nothing that names a file, another host or a library.
OPTIONS = {"application_name", "charset", "connect_timeout", "sslmode"}
UNMARKED = ("mssql", "sybase")
"""Databases whose statements need no semicolon between them. How their parsers read comments, what follows a number and
letters beyond ASCII is not for us to know: what could be read in two ways is refused."""
SQL_TOKEN = re.compile(
    r"""(?P<quoted>'(?:[^']|'')*'|"(?:[^"]|"")*"|\[(?:[^\]]|\]\])*\])"""
    r"""|(?P<number>(?:\d+(?:e\d+)?|0x[0-9a-f]+)(?![\w@\#$]))|(?P<word>[a-z_@\#][\w@\#$]*)"""
    r"""|(?P<mark>(?!--|/\*)[\s.,;()=<>!+*/%&|^~:?-])|(?P<strange>--|/\*|.)""",
    re.IGNORECASE | re.ASCII | re.DOTALL,
)
STATEMENTS = frozenset(
    ("add", "alter", "backup", "begin", "bulk", "checkpoint", "close", "commit", "create", "dbcc", "deallocate",
     "declare", "delete", "deny", "disable", "drop", "enable", "exec", "execute", "goto", "grant", "if", "insert",
     "into", "kill", "merge", "open", "opendatasource", "openquery", "openrowset", "print", "raiserror", "readtext",
     "reconfigure", "restore", "return", "revert", "revoke", "rollback", "save", "set", "shutdown", "truncate",
     "update", "updatetext", "use", "waitfor", "while", "writetext")
)  # fmt: skip
IN_FILES = ("sqlite", "duckdb")
OWN_VARIABLES = ("PENSTOCK_", "MLFLOW_", "PREFECT_")


def require_written(source: str, base: Path, folders: Folders, where: str = "data.source") -> None:
    """What a pipeline file may name: a file of its project, a host that is allowed, or the owner's own variable."""
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    if source.startswith(SECRET):
        return
    if source.startswith(ENVIRONMENT):
        if source.removeprefix(ENVIRONMENT).upper().startswith(OWN_VARIABLES):
            raise _not_written("is a setting of Penstock or of its servers, and names no source", where, source)
        return
    try:
        parsed = make_url(source)
    except (ArgumentError, ValueError):
        return  # said where it is opened
    in_file = parsed.get_backend_name() in IN_FILES
    beyond = sorted(set(parsed.query) - (set() if in_file else OPTIONS))
    if beyond:
        raise _not_written(f"holds the option '{beyond[0]}'", where, source)
    if not in_file:
        require_allowed((parsed.host or "").lower(), parsed.port, where)
    elif (parsed.database or "").startswith("file:") or parsed.host:
        raise _not_written("names no file by its path", where, source)
    elif file := database_file(source):
        resolve(file_named(file, base), folders, where)


def _not_written(what: str, where: str, source: str) -> UsageError:
    return UsageError(
        "PEN156",
        f"the database '{source}' {what}",
        where=where,
        remedy="put the whole URL into an environment variable of its own and name that: `source: env:SALES_URL`; "
        "a file of the project is named like sqlite:///sales.db",
    )


def database_file(url: str) -> str | None:
    """The file that holds the database of this URL, if it names one by its path."""
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        return None
    named = parsed.database
    return named if parsed.get_backend_name() in IN_FILES and named and named != ":memory:" else None


def no_select(what: str, source: str, query: str) -> DataError:
    return DataError(
        "PEN135",
        f"the query {what}",
        where=f"{source}: {shorten(query, 200)}",
        remedy="it must be a select, such as `select * from sales`",
    )


def require_one_select(url: str, query: str, source: str) -> None:
    """Where statements need no mark between them, no word stands there that begins another one."""
    if url.partition(":")[0].partition("+")[0].lower() not in UNMARKED:
        return
    words: list[str] = []
    for token in SQL_TOKEN.finditer(query):
        if token.lastgroup == "strange":
            raise no_select(f"holds {token.group()!r}, which may hide another statement", source, query)
        if token.lastgroup == "word":
            words.append(token.group().lower())
    if not words or words[0] not in ("select", "with"):
        raise no_select("does not begin with select or with", source, query)
    others = [word for word in words if word in STATEMENTS]
    if others:
        what = f"holds '{others[0]}', as at the begin of another statement; as a name it is written [{others[0]}]"
        raise no_select(what, source, query)


def require_opened(connection: Any, source: str, base: Path, folders: Folders) -> None:
    """SQLite opens the file by its name: what it has opened must be what has been judged."""
    file = None if folders is None or source.startswith((ENVIRONMENT, SECRET)) else database_file(source)
    if file:
        opened = {row[2] for row in connection.exec_driver_sql("PRAGMA database_list") if row[1] == "main"}
        for path in opened:
            if Path(path) != resolve(file_named(file, base), folders):
                raise _not_written("was replaced while it was opened", "data.source", source)


def authorize(action: int, first: str | None, second: str | None, *_: object) -> int:
    """What SQLite may do for a query. Its own search indexes prepare changes of rows, which `query_only` refuses."""
    code = action == sqlite3.SQLITE_FUNCTION and second in ("load_extension", "fts3_tokenizer")
    reads = action in READS and not code
    indexes = action == sqlite3.SQLITE_PRAGMA and first in ("data_version", "page_size") and second is None
    return sqlite3.SQLITE_OK if reads or indexes else sqlite3.SQLITE_DENY
