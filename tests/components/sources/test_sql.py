from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sqlalchemy import create_engine, text

from penstock.components.sources.options import Reading
from penstock.components.sources.reading import opened, read_frame
from penstock.errors import DataError, EnvironmentFault, PenstockError
from tests.postgres import Postgres

SECRET = "hunter2"


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    engine = create_engine(f"sqlite:///{tmp_path}/sales.db")
    with engine.begin() as connection:
        connection.execute(text("create table sales (id integer, amount numeric, day date, plan text)"))
        for number in range(40):
            row = {"id": number, "amount": number / 4, "day": "2024-12-31", "plan": "pro" if number % 2 else None}
            connection.execute(text("insert into sales values (:id, :amount, :day, :plan)"), row)
    engine.dispose()
    monkeypatch.setenv("SALES_URL", f"sqlite:///{tmp_path}/sales.db")
    return tmp_path


def read(folder: Path, source: str = "env:SALES_URL", **options: Any) -> pd.DataFrame:
    return read_frame(source, Reading(**options), folder)


def test_the_rows_of_a_query(database: Path) -> None:
    frame = read(database, query="select * from sales where id >= 20 order by id")
    assert frame["id"].tolist() == list(range(20, 40))
    assert frame["amount"].tolist()[:2] == [5, 5.25]
    assert frame["plan"].isna().sum() == 10
    with opened("env:SALES_URL", Reading(query="select id from sales"), database) as table:
        assert table.facts["format"] == "sql"
        assert str(database) not in str(table.facts)
        assert "sales.db" not in str(table.facts)


def test_a_url_without_a_password_may_stand_in_the_file(database: Path) -> None:
    assert len(read(database, "sqlite:///sales.db", query="select id from sales")) == 40


@pytest.mark.parametrize(
    ("source", "query", "code", "words"),
    [
        ("env:SALES_URL", None, "PEN134", "reading: {query: "),
        ("env:NOT_SET", "select 1", "PEN134", "export NOT_SET="),
        ("sqlite:///sale.db", "select 1", "PEN101", "did you mean 'sales.db'"),
        ("env:SALES_URL", "select nothing from sales", "PEN135", "correct it"),
        ("env:SALES_URL", "selec", "PEN135", "correct it"),
        ("env:SALES_URL", "select id, id from sales", "PEN106", "rename"),
    ],
)
def test_what_is_wrong_is_said(database: Path, source: str, query: str | None, code: str, words: str) -> None:
    with pytest.raises(PenstockError) as caught:
        read(database, source, query=query)
    assert caught.value.code == code
    assert words in caught.value.remedy


@pytest.mark.parametrize(
    "query",
    [
        "drop table sales",
        "delete from sales",
        "update sales set amount = 0 returning id",
        "insert into sales (id) values (99) returning id",
        "create table more as select * from sales",
        "pragma user_version = 7",
        "begin",
    ],
)
def test_a_query_changes_nothing(database: Path, query: str) -> None:
    before = (database / "sales.db").read_bytes()
    with pytest.raises(DataError) as caught:
        read(database, query=query)
    assert (caught.value.code, caught.value.exit_status) == ("PEN135", 3)
    assert "it must be a select" in caught.value.remedy
    assert query in caught.value.where
    assert (database / "sales.db").read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("query", ["drop table sales", "delete from sales returning id", "select setval('counted', 9)"])
def test_a_query_changes_nothing_in_postgres(
    query: str, postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SALES_URL", postgres.uri)
    engine = create_engine(postgres.uri)
    with engine.begin() as connection:
        connection.execute(text("drop table if exists sales"))
        connection.execute(text("create table sales as select generate_series(1, 5) as id"))
        connection.execute(text("create sequence if not exists counted"))
    engine.dispose()
    with pytest.raises(DataError) as caught:
        read(tmp_path, query=query)
    assert caught.value.code == "PEN135"
    assert read(tmp_path, query="select id from sales order by id")["id"].tolist() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql+psycopg://me:{SECRET}@127.0.0.1:1/db",
        f"nosuchdialect://me:{SECRET}@host/db",
        f"sqlite+nosuchdriver://me:{SECRET}@host/db",
        f"me:{SECRET}@host no url at all",
        f"sqlite:////no/such/{SECRET}.db",
    ],
)
def test_no_part_of_the_url_is_told(
    url: str, database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SALES_URL", url)
    with pytest.raises(PenstockError) as caught:
        read(database, query="select 1")
    told = str(caught.value) + repr(caught.value.__cause__) + "".join(capsys.readouterr())
    assert SECRET not in told
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_a_missing_driver_is_named(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SALES_URL", "snowflake://me@account/db")
    with pytest.raises(EnvironmentFault) as caught:
        read(database, query="select 1")
    assert (caught.value.code, caught.value.remedy) == ("PEN136", "pip install 'snowflake-sqlalchemy'")


def test_days_are_points_in_time(database: Path) -> None:
    from penstock.components.sources.spool import array_of

    assert str(array_of([datetime.date(2024, 1, 1), None]).type) == "timestamp[us]"


def test_values_are_bound_and_never_pasted(database: Path) -> None:
    query = "select id from sales where plan = :plan and id < :most"
    assert len(read(database, query=query, parameters={"plan": "pro", "most": 10})) == 5
    with pytest.raises(PenstockError, match=r"no rows|fewer"):
        read(database, query=query, parameters={"plan": "pro' or '1'='1", "most": 10})
