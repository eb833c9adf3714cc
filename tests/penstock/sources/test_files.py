"""What has been judged is what is opened."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest
from sqlalchemy import create_engine

from penstock.errors import PenstockError, UsageError
from penstock.sources import files, sql_access
from penstock.sources.files import open_file
from penstock.sources.options import Reading
from penstock.sources.reading import digest_of_file, read_frame

SECRET = pd.DataFrame({"a": [41, 42, 43]})


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "project"
    (folder / "data").mkdir(parents=True)
    (folder.parent / "outside").mkdir()
    return folder


def put(folder: Path, name: str) -> None:
    if name.endswith(".parquet"):
        SECRET.to_parquet(folder / name)
    elif name.endswith(".xlsx"):
        SECRET.to_excel(folder / name, index=False)
    elif name.endswith(".jsonl"):
        SECRET.to_json(folder / name, orient="records", lines=True)
    else:
        SECRET.to_csv(folder / name, index=False)


def read(source: str, project: Path, **options: Any) -> pd.DataFrame:
    return read_frame(source, Reading(**options), project, folders=(project,))


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.jsonl", "t.xlsx", "t.parquet"])
def test_files_are_read_inside_and_not_outside(project: Path, name: str) -> None:
    put(project / "data", name)
    put(project.parent / "outside", name)
    (project / f"in-{name}").symlink_to(project / "data" / name)
    (project / f"out-{name}").symlink_to(project.parent / "outside" / name)
    (project / "away").symlink_to(project.parent / "outside")
    for inside in (f"data/{name}", f"in-{name}", f"file://{project}/data/{name}", f"data/../data/./{name}"):
        assert read(inside, project)["a"].tolist() == [41, 42, 43]
    outside = [f"../outside/{name}", f"out-{name}", f"away/{name}", f"file://{project}/out-{name}"]
    for source in (*outside, f"simplecache::out-{name}"):
        with pytest.raises(UsageError, match="PEN056"):
            read(source, project)
    with pytest.raises(UsageError, match="PEN056"):
        digest_of_file(project / f"out-{name}", (project,))


def test_a_folder_of_parts_holds_no_link_that_leads_out(project: Path) -> None:
    (project / "data" / "year=2024").mkdir()
    put(project / "data" / "year=2024", "1.parquet")
    (project / "data" / "year=2024" / "2.parquet").symlink_to(project / "data" / "year=2024" / "1.parquet")
    frame = read("data", project)
    assert (frame["a"].tolist(), set(frame["year"])) == ([41, 42, 43] * 2, {2024})
    put(project.parent / "outside", "3.parquet")
    (project / "data" / "year=2024" / "3.parquet").symlink_to(project.parent / "outside" / "3.parquet")
    with pytest.raises(UsageError, match="PEN056"):
        read("data", project)


@pytest.mark.parametrize("swapped", ["data", "data/t.csv"])
def test_a_link_put_there_after_the_check_is_not_followed(
    project: Path, monkeypatch: pytest.MonkeyPatch, swapped: str
) -> None:
    put(project / "data", "t.csv")
    put(project.parent / "outside", "t.csv")
    real = files.resolve

    def and_swap(path: Path, *args: Any) -> Path:
        judged = real(path, *args)
        os.rename(project / swapped, project / "before")
        (project / swapped).symlink_to(project.parent / "outside" / Path(swapped).relative_to("data"))
        return judged

    monkeypatch.setattr(files, "resolve", and_swap)
    with pytest.raises(OSError, match=r"[Ll]ink|[Dd]irectory"):
        open_file(project / "data" / "t.csv", (project,))


def test_links_in_a_circle_are_said(project: Path) -> None:
    (project / "a.csv").symlink_to(project / "b.csv")
    (project / "b.csv").symlink_to(project / "a.csv")
    with pytest.raises(UsageError, match="PEN101"):
        read("a.csv", project)


def test_a_home_is_one_place_for_the_check_and_for_the_reader(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(project.parent / "outside"))
    put(project.parent / "outside", "t.csv")
    with pytest.raises(UsageError, match="PEN056"):
        read("~/t.csv", project)
    assert read_frame("~/t.csv", Reading(), project)["a"].tolist() == [41, 42, 43]
    with pytest.raises(UsageError, match="PEN101"):
        read("$HOME/t.csv", project)


def database(file: Path) -> None:
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        SECRET.to_sql("t", connection, index=False)
    engine.dispose()


def test_databases_in_files_too(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database(project / "own.db")
    database(project / "own % b#c.db")
    database(project.parent / "outside" / "s.db")
    (project / "link.db").symlink_to(project.parent / "outside" / "s.db")
    (project / "in.db").symlink_to(project / "own.db")
    query = "select a from t"
    for inside in ("sqlite:///own.db", "sqlite:///in.db", "sqlite:///own % b#c.db", f"sqlite:///{project}/own.db"):
        assert read(inside, project, query=query)["a"].tolist() == [41, 42, 43]
    for outside in ("sqlite:///../outside/s.db", "sqlite:///link.db", f"sqlite:///{project.parent}/outside/s.db"):
        with pytest.raises(UsageError, match="PEN056"):
            read(outside, project, query=query)
    monkeypatch.setenv("SALES", f"sqlite:///{project.parent}/outside/s.db")
    assert read("env:SALES", project, query=query)["a"].tolist() == [41, 42, 43]


def test_a_database_swapped_while_it_is_opened_is_not_read(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database(project / "own.db")
    database(project.parent / "outside" / "s.db")
    real = sql_access.require_opened

    def swapped(connection: Any, *args: Any) -> None:
        (project / "own.db").unlink()
        (project / "own.db").symlink_to(project.parent / "outside" / "s.db")
        again = create_engine(f"sqlite:///{project}/own.db")
        with again.connect() as other:
            real(other, *args)

    monkeypatch.setattr("penstock.sources.sql.require_opened", swapped)
    with pytest.raises(UsageError, match=r"PEN(056|156)"):
        read("sqlite:///own.db", project, query="select a from t")


def test_a_journal_beside_a_database_is_not_played(project: Path) -> None:
    """It may name any file as one that belongs to it, which SQLite removes."""
    database(project / "first.db")
    with closing(sqlite3.connect(project / "first.db", isolation_level=None)) as connection:
        for statement in ("pragma cache_size = 1", "begin", "create table more (b)"):
            connection.execute(statement)
        connection.executemany("insert into more values (?)", [("x" * 2000,) for _ in range(100)])
        for name in ("first.db", "first.db-journal"):
            shutil.copy(project / name, project / name.replace("first", "own % a#c"))
    journal = project / "own % a#c.db-journal"
    before = journal.read_bytes()
    assert before
    with pytest.raises(PenstockError, match="PEN135"):
        read("sqlite:///own % a#c.db", project, query="select a from t")
    assert journal.read_bytes() == before


def test_links_of_a_workbook_to_other_files_are_not_followed(project: Path) -> None:
    book = openpyxl.Workbook()
    for row in (("a",), (1,), (2,), ("='[/etc/passwd]Sheet1'!A1",), ('=WEBSERVICE("http://127.0.0.1/")',)):
        book.active.append(row)
    book.save(project / "t.xlsx")
    assert read("t.xlsx", project)["a"].dropna().tolist() == [1, 2]
