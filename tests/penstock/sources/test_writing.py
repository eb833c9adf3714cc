"""Where tables can be written, and that a failure leaves what was there."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from sqlalchemy import create_engine, inspect, text

from penstock.errors import UsageError
from penstock.sources.writing import Destination
from tests.postgres import Postgres

TABLE = pa.table(
    {
        "name": ["a", None, 'with "quotes", and more'],
        "score": [0.1 + 0.2, 1.0, None],
        "sure": [True, None, False],
        "count": [2**60, None, -1],
        "day": pa.array([0, None, 1], pa.timestamp("us")),
    }
)


def read(path: Path) -> pd.DataFrame:
    if path.suffix == ".parquet" or path.is_dir():
        return pd.read_parquet(path)
    return pd.read_csv(path) if ".csv" in path.name else pd.read_json(path, lines=True)


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.jsonl", "t.jsonl.gz", "t.parquet", "parts/"])
def test_every_value_is_written_and_the_same_table_gives_the_same_bytes(tmp_path: Path, name: str) -> None:
    for folder in ("one", "other"):
        Destination(f"{tmp_path}/{folder}/{name}").write([TABLE.slice(0, 2), TABLE.slice(2), TABLE.slice(3)])
    paths = [tmp_path / folder / name for folder in ("one", "other")]
    found = read(paths[0])
    assert found["name"].fillna("").tolist() == ["a", "", 'with "quotes", and more']
    assert found["score"].iloc[0] == 0.1 + 0.2
    assert found["score"].isna().tolist() == [False, False, True]
    assert len(found) == 3
    content = [sorted(path.iterdir()) if path.is_dir() else [path] for path in paths]
    assert [file.read_bytes() for file in content[0]] == [file.read_bytes() for file in content[1]]
    assert not list(tmp_path.rglob(".writing-*"))


def test_quotes_stand_only_where_they_are_needed(tmp_path: Path) -> None:
    Destination(f"{tmp_path}/t.csv.gz").write([TABLE.slice(0, 1), TABLE.slice(2)])
    lines = gzip.decompress((tmp_path / "t.csv.gz").read_bytes()).decode().splitlines()
    assert lines[0] == "name,score,sure,count,day"
    assert lines[1].startswith("a,0.30000000000000004,true,1152921504606846976,1970-01-01")
    assert lines[2].startswith('"with ""quotes"", and more",,false,-1,')


def stopped() -> Iterator[pa.Table]:
    yield TABLE
    raise RuntimeError("stopped")


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "parts/"])
def test_a_failure_leaves_what_was_there(tmp_path: Path, name: str) -> None:
    destination = Destination(f"{tmp_path}/{name}")
    destination.write([TABLE.slice(0, 1)])
    with pytest.raises(RuntimeError):
        destination.write(stopped())
    assert len(read(tmp_path / name)) == 1
    destination.write([TABLE])
    assert len(read(tmp_path / name)) == 3
    assert not list(tmp_path.rglob(".writing-*"))


def test_a_new_database_table_is_not_left_by_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCORES_URL", f"sqlite:///{tmp_path}/scores.db")
    destination = Destination("env:SCORES_URL", "scores")
    with pytest.raises(RuntimeError):
        destination.write(stopped())
    with sqlite3.connect(tmp_path / "scores.db") as connection:
        assert connection.execute("select * from sqlite_master").fetchall() == []
        destination.write([TABLE])
        rows = connection.execute("select name, score, sure, count, day from scores").fetchall()
    assert rows == [
        ("a", 0.1 + 0.2, 1, 2**60, "1970-01-01 00:00:00.000000"),
        (None, 1.0, None, None, None),
        ('with "quotes", and more', None, 0, -1, "1970-01-01 00:00:00.000001"),
    ]


@pytest.mark.slow
def test_postgres_sees_the_rows_before_or_the_rows_after(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCORES_URL", postgres.uri)
    destination = Destination("env:SCORES_URL", "public.scores of a morning")
    engine = create_engine(postgres.uri)

    def there() -> list[Any]:
        with engine.connect() as connection:
            found = inspect(connection).has_table("scores of a morning")
            query = text('select name, score, sure, count from "scores of a morning" order by score')
            return [tuple(row) for row in connection.execute(query)] if found else []

    with pytest.raises(RuntimeError):
        destination.write(stopped())
    assert there() == []
    destination.write([TABLE.slice(0, 2)])
    before = there()
    assert before == [("a", 0.1 + 0.2, True, 2**60), (None, 1.0, None, None)]
    with pytest.raises(RuntimeError):
        destination.write(stopped())
    assert there() == before
    destination.write([TABLE.slice(2)])
    assert there() == [('with "quotes", and more', None, False, -1)]
    engine.dispose()


def test_what_goes_beside() -> None:
    assert Destination("a/scores.csv.gz").beside("quarantine").name == "a/scores.quarantine.csv.gz"
    assert Destination("a/scores/").beside("quarantine").name == "a/scores.quarantine/"
    assert Destination("env:URL", "public.scores").beside("quarantine").table == "public.scores_quarantine"


@pytest.mark.parametrize(
    ("name", "table", "code", "remedy"),
    [
        ("scores.docx", None, "PEN121", ".csv, .csv.gz, .jsonl, .jsonl.gz, .parquet"),
        ("env:URL", None, "PEN513", "--table scores"),
        ("scores.csv", "scores", "PEN513", "leave --table out"),
        ("s3://bucket/scores.csv", None, "PEN513", "write a file here"),
        ("full/", None, "PEN514", "a folder that is empty"),
    ],
)
def test_a_place_that_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, table: str | None, code: str, remedy: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").touch()
    with pytest.raises(UsageError) as raised:
        Destination(name, table).require_possible()
    assert raised.value.code == code
    assert remedy in raised.value.remedy
