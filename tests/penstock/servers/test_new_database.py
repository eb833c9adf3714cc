from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from penstock.servers import new_database
from penstock.servers.new_database import SCHEMA, create, schema_of
from scripts.schema import migrated


@pytest.mark.slow
def test_the_tables_are_those_that_prefect_makes(tmp_path: Path) -> None:
    """After a change of Prefect's version: `make schema`. In which order it writes constraints down is chance."""

    def parts(schema: str) -> list[str]:
        return sorted(line.strip().rstrip(", ") for line in schema.splitlines())

    create(tmp_path / "prefect.db")
    assert parts(schema_of(tmp_path / "prefect.db")) == parts(migrated())


def test_a_database_that_is_there_stays(tmp_path: Path) -> None:
    database = tmp_path / "prefect.db"
    with sqlite3.connect(database) as connection:
        connection.execute("create table mine (name text)")
    before = database.read_bytes()
    create(database)
    assert database.read_bytes() == before


def test_an_older_prefect_makes_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = SCHEMA.read_text(encoding="utf-8")
    newer = tmp_path / "newer.sql"
    newer.write_text(text.replace(text.split()[6], "99.0", 1), encoding="utf-8")
    monkeypatch.setattr(new_database, "SCHEMA", newer)
    create(tmp_path / "prefect.db")
    assert not (tmp_path / "prefect.db").exists()
