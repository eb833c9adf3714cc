from __future__ import annotations

import datetime
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sqlalchemy import create_engine, text

from penstock.errors import DataError, EnvironmentFault, PenstockError
from penstock.sources.options import Reading
from penstock.sources.reading import opened, read_frame
from penstock.sources.sql_access import require_one_select
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
        "vacuum",
        "vacuum into 'out.db'",
        "attach 'out.db' as other",
        "attach 'file:out.db?mode=rwc' as other",
        "detach main",
        "pragma query_only = off",
        "pragma journal_mode = wal",
        "pragma temp_store_directory = '/'",
        "select * from pragma_table_info('sales')",
        "create temp table more as select * from sales",
        "create virtual table more using fts5(a)",
        "savepoint one",
        "reindex",
        "analyze",
        "select load_extension('out.so')",
        "select fts3_tokenizer('simple')",
        "select id from sales; delete from sales",
    ],
)
def test_a_query_changes_nothing(database: Path, query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(database)
    before = (database / "sales.db").read_bytes()
    with pytest.raises(DataError) as caught:
        read(database, query=query)
    assert (caught.value.code, caught.value.exit_status) == ("PEN135", 3)
    assert "it must be a select" in caught.value.remedy
    assert query in caught.value.where
    assert (database / "sales.db").read_bytes() == before
    assert [file.name for file in database.iterdir()] == ["sales.db"]


@pytest.mark.parametrize("name", ["readfile", "writefile", "edit", "eval", "fileio_read"])
def test_functions_of_the_shell_are_not_known(database: Path, name: str) -> None:
    with pytest.raises(DataError, match="PEN135"):
        read(database, query=f"select {name}('/etc/passwd') as a")


def test_whatever_reads_is_allowed(database: Path) -> None:
    engine = create_engine(f"sqlite:///{database}/sales.db")
    with engine.begin() as connection:
        for made in (
            "create virtual table words using fts5(word)",
            "create virtual table old using fts4(word)",
            "create virtual table boxes using rtree(id, low, high)",
            "insert into words values ('a'), ('b')",
            "insert into old values ('a'), ('b')",
            "insert into boxes values (1, 0, 1), (2, 0, 1)",
        ):
            connection.execute(text(made))
    engine.dispose()
    for query in (
        "with recursive n(i) as (values (1) union all select i + 1 from n where i < 2) select i from n",
        "values (1), (2)",
        "select value from json_each('[1, 2]')",
        "select plan, count(*) over (order by plan) as rows from sales group by plan;",
        "select word from words where words match 'a OR b'",
        "select word from old where old match 'a OR b'",
        "select id from boxes where low < 1",
        "explain select id from sales",
        "select replace('a;b', ';', id) as joined from sales where id < 2",
    ):
        assert len(read(database, query=query)) >= 2


def test_a_database_of_another_journal(database: Path) -> None:
    engine = create_engine(f"sqlite:///{database}/sales.db")
    with engine.connect() as connection:
        connection.execute(text("pragma journal_mode = wal"))
    engine.dispose()
    assert len(read(database, query="select id from sales")) == 40
    assert [file.name for file in database.iterdir()] == ["sales.db"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        "drop table sales",
        "delete from sales returning id",
        "select setval('counted', 9)",
        "select 1 as a; commit; delete from sales",
        "select 1 as a; set transaction read write; delete from sales",
        "copy sales from program 'cat /etc/passwd'",
        "copy (select 1) to '/tmp/penstock-out'",
        "copy sales to program 'cat > /tmp/penstock-out'",
        "do $$ begin delete from sales; end $$",
    ],
)
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
    assert read(tmp_path, query="select id from sales order by id;")["id"].tolist() == [1, 2, 3, 4, 5]
    assert not Path("/tmp/penstock-out").exists()


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
    from penstock.sources.spool import array_of

    assert str(array_of([datetime.date(2024, 1, 1), None]).type) == "timestamp[us]"


def test_values_are_bound_and_never_pasted(database: Path) -> None:
    query = "select id from sales where plan = :plan and id < :most"
    assert len(read(database, query=query, parameters={"plan": "pro", "most": 10})) == 5
    with pytest.raises(PenstockError, match=r"no rows|fewer"):
        read(database, query=query, parameters={"plan": "pro' or '1'='1", "most": 10})


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("with recursive c(x) as (select 1 union all select x + 1 from c) select x, 'a text' as t from c", "PEN148"),
        ("select hex(zeroblob(90000000)) as x union all select 'y'", "PEN135"),
    ],
)
def test_a_query_without_end_is_bounded(database: Path, monkeypatch: pytest.MonkeyPatch, query: str, code: str) -> None:
    monkeypatch.setenv("PENSTOCK_MAX_UNPACKED_MB", "1")
    with pytest.raises(PenstockError, match=code):
        read(database, query=query)


ENDLESS = "with recursive c(x) as (select 1 union all select x + 1 from c) select max(x) as x from c"


def test_a_query_that_gives_no_row_ends(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_MAX_QUERY_SECONDS", "1")
    started = time.monotonic()
    with pytest.raises(DataError, match=r"PEN169(.|\n)*1 seconds(.|\n)*export PENSTOCK_MAX_QUERY_SECONDS=2"):
        read(database, query=ENDLESS)
    assert time.monotonic() - started < 10
    monkeypatch.setenv("PENSTOCK_MAX_QUERY_SECONDS", "soon")
    with pytest.raises(PenstockError, match="PEN149"):
        read(database, query="select id from sales")


@pytest.mark.slow
@pytest.mark.parametrize("before", ["", "select set_config('statement_timeout', '0', false) as x union all "])
def test_a_query_that_gives_no_row_ends_in_postgres(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    monkeypatch.setenv("SALES_URL", postgres.uri)
    monkeypatch.setenv("PENSTOCK_MAX_QUERY_SECONDS", "1")
    endless = "select max(x)::text as x from c"
    query = f"with recursive c(x) as (select 1 as x union all select 1 from c) {before}{endless}"
    with pytest.raises(DataError, match="PEN169"):
        read(tmp_path, query=query)
    assert read(tmp_path, query="select generate_series(1, 3) as id")["id"].tolist() == [1, 2, 3]


UNMARKED = [
    "select 1 as a insert into sales values (1)",
    "select 1 as a\ndelete from sales",
    "select 1delete from sales",
    "select 1e5delete from sales",
    "select 0xdelete from sales",
    "select 1 as a -- '\n drop table sales --'",
    "select 1 as a /* ' */ exec xp_cmdshell 'dir' /* ' */",
    "select * into other from sales",
    "select 'a''' exec('drop table sales') select '",
    'select "a""" exec(\'drop table sales\') select "',
    "select [a]]] exec('drop table sales') select [b]",
    "select 'a' delete from sales select 'b",
    "select {fn now()} as a",
    "select $delete from sales",
    "select 1\u00b2delete from sales",
    "delete from sales",
    "exec sp_help",
    "waitfor delay '1:00:00'",
    "select * from openrowset(bulk 'c:\\secret.txt', single_clob) as a",
    "'",
]


@pytest.mark.parametrize("query", UNMARKED)
def test_what_begins_another_statement_without_a_mark_is_refused(
    database: Path, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    monkeypatch.setenv("SALES_URL", "mssql+pyodbc://me@host/db")
    with pytest.raises(PenstockError, match=r"PEN135(.|\n)*it must be a select"):
        read(database, query=query)


@pytest.mark.parametrize(
    "query",
    [
        "select top 10 a.id, [delete] as \"update\", N'it''s; insert' as n from dbo.sales a where x <> 1.5e3",
        "with c as (select count(*) as n, sum(x) over (partition by g order by t) as s from #recent where id in (1, 2))"
        " select * from c inner join d on c.n = d.n union all select * from e order by 1 offset 5 rows"
        " fetch next 5 rows only;",
        "select case when x = 0x1F then 'a' else 'b' end as x, @@version as v from sales cross apply openjson(doc)",
    ],
)
def test_a_select_for_sql_server_is_let_through(database: Path, query: str) -> None:
    require_one_select("mssql+pyodbc://me@host/db", query, "env:SALES_URL")
