"""A new Prefect database in one step: Prefect's own way goes through all its migrations, which takes ten seconds."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

from packaging.version import Version

SCHEMA = Path(__file__).parent / "prefect.sql"
MADE_BY = "-- What the migrations of Prefect "


def create(database: Path) -> None:
    """Where there is no database yet, one as the migrations leave it. A newer Prefect goes on from there by itself.

    An older Prefect than the one that made the tables does not know their version: it makes its own.
    """
    text = SCHEMA.read_text(encoding="utf-8")
    made_by = text.removeprefix(MADE_BY).split(maxsplit=1)[0]
    if database.exists() or Version(version("prefect")) < Version(made_by):
        return
    unfinished = database.with_suffix(".new")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(unfinished)) as connection:
        connection.executescript(text)
    os.replace(unfinished, database)


def schema_of(database: Path) -> str:
    """The tables of a database as a text that makes them again."""
    with closing(sqlite3.connect(database)) as connection:
        return "\n".join(connection.iterdump()) + "\n"
