"""Data with one mistake each, under a sound pipeline: how the file is made, what the pipeline says of it, the outcome.

The sound file has 60 rows: id, a and b (numbers), plan (three words), since (days), left (yes or no).
"""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

ROWS = 60


class Bad(NamedTuple):
    """`make` writes into the folder; `data` and `split` change those parts of the pipeline."""

    make: Callable[[Path], object]
    code: str
    status: int
    words: str
    data: Mapping[str, Any] = MappingProxyType({})
    split: Mapping[str, Any] = MappingProxyType({})


def sound() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "id": [f"r{number}" for number in range(ROWS)],
            "a": rng.normal(size=ROWS).round(3),
            "b": rng.normal(size=ROWS).round(3),
            "plan": rng.choice(["basic", "plus", "pro"], ROWS),
            "since": (pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 700, ROWS), unit="D")).astype(str),
            "left": np.where(rng.random(ROWS) < 0.4, "yes", "no"),
        }
    )


def table(edit: Callable[[pd.DataFrame], pd.DataFrame]) -> Callable[[Path], object]:
    return lambda folder: edit(sound()).to_csv(folder / "data.csv", index=False)


def text(content: str | bytes, name: str = "data.csv") -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def lines(edit: Callable[[list[str]], list[str]], name: str = "data.csv") -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(
        "\n".join(edit(sound().to_csv(index=False).splitlines())) + "\n", encoding="utf-8"
    )


def folder_for_file(folder: Path) -> None:
    (folder / "data.csv").unlink()
    (folder / "data.csv").mkdir()


def workbook(**sheets: list[list[Any]]) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        import openpyxl

        book = openpyxl.Workbook()
        book.remove(book.active)
        for title, rows in sheets.items():
            sheet = book.create_sheet(title)
            for row in rows:
                sheet.append(row)
        book.save(folder / "data.xlsx")

    return make


def database(folder: Path) -> None:
    with sqlite3.connect(folder / "sales.db") as connection:
        sound().to_sql("sales", connection, index=False)


def nothing(_: Path) -> None:
    """The sound file stays."""


def query(words: str) -> dict[str, Any]:
    return {"reading": {"query": words}}


EXCEL = {"source": "data.xlsx"}
SQL = {"source": "sqlite:///sales.db"}
HEADER = "id,a,left\n"

DATA: dict[str, Bad] = {
    # files
    "not there": Bad(nothing, "PEN101", 2, "did you mean 'data.csv'?", {"source": "dat.csv"}),
    "not there, nothing near": Bad(nothing, "PEN101", 2, "check the path", {"source": "far/away.csv"}),
    "a folder": Bad(folder_for_file, "PEN102", 2, "file"),
    "unknown suffix": Bad(text("x", "data.docx"), "PEN121", 2, ".csv", {"source": "data.docx"}),
    "empty": Bad(text(""), "PEN103", 3, "header"),
    "blank lines": Bad(text("\n\n\n"), "PEN103", 3, "header"),
    "only a header": Bad(text(HEADER), "PEN104", 3, "rows"),
    "one row": Bad(text(HEADER + "r1,1,yes\n"), "PEN108", 3, "rows"),
    "two rows": Bad(text(HEADER + "r1,1,yes\nr2,2,no\n"), "PEN117", 3, "more rows"),
    "binary": Bad(text(bytes(4) + bytes(range(256)) * 20), "PEN105", 3, "not a text"),
    "utf-16 without a mark": Bad(text("id,a,left\nr1,1,yes\n".encode("utf-16-le")), "PEN130", 3, "encoding: utf-16-le"),
    "a stray zero byte": Bad(lines(lambda all: [*all[:5], all[5] + "\0", *all[6:]]), "PEN105", 3, "line 6"),
    "a picture": Bad(text(b"\x89PNG\r\n\x1a\n" + bytes(200)), "PEN105", 3, "named so"),
    "cut gzip": Bad(
        lambda folder: (folder / "data.csv.gz").write_bytes(gzip.compress(sound().to_csv().encode())[:-20]),
        "PEN109", 3, "damaged", {"source": "data.csv.gz"},
    ),
    "gzip that is none": Bad(text(HEADER, "data.csv.gz"), "PEN109", 3, "without .gz", {"source": "data.csv.gz"}),
    "parquet that is none": Bad(text("abc", "data.parquet"), "PEN109", 3, "damaged", {"source": "data.parquet"}),
    "json lines that are none": Bad(text("{nope\n{}\n", "data.jsonl"), "PEN109", 3, "line", {"source": "data.jsonl"}),
    "json lines of numbers": Bad(text("1\n2\n", "data.jsonl"), "PEN109", 3, "", {"source": "data.jsonl"}),
    # lines
    "a row too long": Bad(lines(lambda all: [*all[:5], all[5] + ",9", *all[6:]]), "PEN109", 3, "line 6"),
    "a mark at the end of each row": Bad(
        lines(lambda all: [all[0], *(f"{line}," for line in all[1:])]), "PEN109", 3, "add one at the end of the header"
    ),
    "a row too short": Bad(lines(lambda all: [*all[:5], "r,1", *all[6:]]), "PEN109", 3, "line 6"),
    "an open quote": Bad(lines(lambda all: [*all[:5], '"' + all[5], *all[6:]]), "PEN109", 3, "quote"),
    "a quote that swallows rows": Bad(
        lines(lambda all: [*all[:5], all[5].replace("pro", '"pro'), *all[6:9], all[9].replace("ic", 'ic"'), *all[10:]]),
        "PEN146", 3, "line 6",
    ),
    "numbers for names": Bad(text("1,5\n2,6\n3,7\n"), "PEN141", 3, "header"),
    "two separators fit": Bad(text("a;b,c\n1;2,3\n4;5,6\n"), "PEN131", 3, "delimiter"),
    "wrong delimiter": Bad(nothing, "PEN127", 3, "column", {"reading": {"delimiter": ";"}}),
    "wrong encoding": Bad(
        text("id,a,left\nr1,caf\xe9,yes\n".encode("latin-1") * 9),
        "PEN105", 3, "encoding", {"reading": {"encoding": "utf-8"}},
    ),
    # names
    "a name twice": Bad(lines(lambda all: ["id,a,a,plan,since,left", *all[1:]]), "PEN106", 3, "rename"),
    "a reserved name": Bad(lines(lambda all: ["_row_id,a,b,plan,since,left", *all[1:]]), "PEN122", 3, "rename"),
    "target not there": Bad(table(lambda f: f.rename(columns={"left": "lefft"})), "PEN127", 3, "did you mean 'lefft'?"),
    "key not there": Bad(nothing, "PEN107", 3, "did you mean 'id'?", {"key": "ids"}),
    "group not there": Bad(nothing, "PEN107", 3, "did you mean 'plan'?", {"group": "plann"}),
    "column not there": Bad(nothing, "PEN107", 3, "did you mean 'plan'?", {"columns": {"plann": "nominal"}}),
    "no feature left": Bad(
        nothing, "PEN123", 3, "declare the role", {"columns": dict.fromkeys(("a", "b", "plan", "since"), "ignore")}
    ),
    # values
    "one class": Bad(table(lambda f: f.assign(left="yes")), "PEN111", 3, "class"),
    "target all missing": Bad(table(lambda f: f.assign(left=None)), "PEN110", 3, "target"),
    "another positive": Bad(nothing, "PEN120", 3, "did you mean 'yes'?", {"positive": "yess"}),
    "every row its own class": Bad(
        table(lambda f: f.assign(left=f["id"])), "PEN114", 3, "merge classes, or name", {"positive": None}
    ),
    "a class of one row": Bad(
        table(lambda f: f.assign(left=["maybe", *f["left"][1:]])), "PEN116", 3, "merge rare classes", {"positive": None}
    ),
    "numbers and a word": Bad(table(lambda f: f.assign(a=[*f["a"][:-1].astype(str), "oops"])), "PEN112", 3, "nominal"),
    "infinite": Bad(table(lambda f: f.assign(a=f["a"].where(f.index > 3, float("inf")))), "PEN113", 3, "infinite"),
    "too large": Bad(
        table(lambda f: f.assign(a=f["a"].where(f.index != 3, -1.7976931348623157e308))), "PEN113", 3, "'a', row 4"
    ),
    "dates to predict": Bad(
        table(lambda f: f.assign(left=pd.date_range("2024-01-01", periods=ROWS))),
        "PEN114", 3, "a date cannot be predicted", {"positive": None},
    ),
    "words for numbers": Bad(nothing, "PEN112", 3, "plan", {"columns": {"plan": "numeric"}}),
    "no dates": Bad(nothing, "PEN112", 3, "2024-12-31", {"columns": {"plan": "date"}}),
    "no truths": Bad(nothing, "PEN112", 3, "yes and no", {"columns": {"plan": "boolean"}}),
    "a level for each row": Bad(nothing, "PEN114", 3, "ignore", {"columns": {"id": "nominal"}, "key": None}),
    "keys twice": Bad(table(lambda f: f.assign(id="same")), "PEN115", 3, "key"),
    "keys missing": Bad(table(lambda f: f.assign(id=[None, *f["id"][1:]])), "PEN115", 3, "key"),
    "negative weights": Bad(nothing, "PEN163", 3, "weight", {"columns": {"a": "weight"}}),
    "weights in words": Bad(nothing, "PEN112", 3, "correct these values", {"columns": {"plan": "weight"}}),
    "more folds than rows of a class": Bad(
        table(lambda f: f.assign(left=["yes"] * 9 + ["no"] * (ROWS - 9))), "PEN116", 3, "folds", {}, {"folds": 20}
    ),
    "one group": Bad(table(lambda f: f.assign(plan="same")), "PEN117", 3, "group", {"group": "plan"}),
    # workbooks
    "a workbook that is none": Bad(text("abc", "data.xlsx"), "PEN109", 3, "damaged", EXCEL),
    "a locked workbook": Bad(text(b"\xd0\xcf\x11\xe0" + bytes(500), "data.xlsx"), "PEN109", 3, "a password", EXCEL),
    "an old workbook": Bad(text(b"\xd0\xcf\x11\xe0", "data.xls"), "PEN121", 2, ".xlsx", {"source": "data.xls"}),
    "an empty sheet": Bad(workbook(a=[]), "PEN103", 3, "header", EXCEL),
    "two sheets": Bad(workbook(a=[["x"], [1], [2]], b=[["y"], [1], [2]]), "PEN139", 3, "sheet", EXCEL),
    "a sheet that is not there": Bad(
        workbook(sales=[["x"], [1], [2]]), "PEN139", 2, "did you mean 'sales'?", {**EXCEL, "reading": {"sheet": "sale"}}
    ),
    "values beyond the names": Bad(workbook(a=[["x", "y"], [1, 2, 3], [4, 5]]), "PEN109", 3, "name", EXCEL),
    # databases and addresses
    "a database without a query": Bad(database, "PEN134", 2, "query", SQL),
    "a variable that is not set": Bad(
        nothing, "PEN134", 2, "export NO_SUCH_URL", {"source": "env:NO_SUCH_URL", **query("select 1")}
    ),
    "a database that is not there": Bad(
        database, "PEN101", 2, "did you mean 'sales.db'?", {"source": "sqlite:///sale.db", **query("select 1")}
    ),
    "a query with a mistake": Bad(database, "PEN135", 3, "query", SQL | query("selct * from sales")),
    "a table that is not there": Bad(database, "PEN135", 3, "query", SQL | query("select * from sale")),
    "a query that drops a table": Bad(database, "PEN135", 3, "it must be a select", SQL | query("drop table sales")),
    "a query without rows": Bad(database, "PEN135", 3, "it must be a select", SQL | query("pragma user_version = 3")),
    "a query that writes a file": Bad(database, "PEN135", 3, "it must be a select", SQL | query("vacuum into 'o.db'")),
    "a query that opens another database": Bad(
        database, "PEN135", 3, "it must be a select", SQL | query("attach 'o.db' as o")
    ),
    "nothing at the address": Bad(nothing, "PEN101", 2, "check the address", {"source": "memory://nowhere.csv"}),
    "bundled data that are not there": Bad(nothing, "PEN138", 2, "did you mean 'iris'?", {"source": "sklearn:irsi"}),
    "a day without a file": Bad(nothing, "PEN101", 2, "data.csv", {"source": "data-{date}.csv"}),
}  # fmt: skip
