from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest

from penstock.components.sources.options import Reading
from penstock.components.sources.reading import read_frame
from penstock.errors import PenstockError


def book(folder: Path, **sheets: list[list[Any]]) -> None:
    made = openpyxl.Workbook()
    made.remove(made.active)
    for title, rows in sheets.items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
    made.save(folder / "t.xlsx")


def read(folder: Path, **options: Any) -> pd.DataFrame:
    return read_frame("t.xlsx", Reading(**options), folder, fewest_rows=1)


def test_types_blank_rows_and_columns_without_a_name(tmp_path: Path) -> None:
    day = datetime.datetime(2024, 12, 31)
    rows = [
        [None],
        ["id", "n", "x", "day", "ok", None],
        [1, 2, 2.5, day, True, "note"],
        [None],
        [2, None, 3, day, False],
    ]
    book(tmp_path, data=rows, empty=[])
    with pytest.raises(PenstockError) as beyond:
        read(tmp_path)
    assert "beyond the last name" in beyond.value.what
    rows[2][5] = None
    book(tmp_path, data=rows, empty=[])
    frame = read(tmp_path)
    assert [*frame.columns] == ["id", "n", "x", "day", "ok"]
    assert frame["id"].tolist() == [1, 2]
    assert frame["x"].tolist() == [2.5, 3.0]
    assert frame["day"].tolist() == [pd.Timestamp(day)] * 2
    assert frame["ok"].tolist() == [True, False]


def test_words_among_numbers_are_kept_for_the_checks_to_find(tmp_path: Path) -> None:
    book(tmp_path, data=[["a", "b"], [1, "#N/A"], ["two", 2], [3.0, 3]])
    frame = read(tmp_path)
    assert frame["a"].tolist() == ["1", "two", "3"]
    assert frame["b"].tolist()[1:] == [2, 3]


def test_the_sheet_is_asked_for_where_several_hold_values(tmp_path: Path) -> None:
    book(tmp_path, sales=[["a"], [1]], costs=[["a"], [2]])
    with pytest.raises(PenstockError) as caught:
        read(tmp_path)
    assert caught.value.code == "PEN139"
    assert 'reading: {sheet: "sales"}' in caught.value.remedy
    assert read(tmp_path, sheet="costs")["a"].tolist() == [2]
    assert read(tmp_path, sheet=1)["a"].tolist() == [1]
    with pytest.raises(PenstockError, match="did you mean 'costs'"):
        read(tmp_path, sheet="cost")
    assert read(tmp_path, sheet="costs", header=False)["column_1"].tolist() == ["a", "2"]


def test_formulas_that_were_never_calculated_are_not_read_as_missing(tmp_path: Path) -> None:
    book(tmp_path, data=[["a", "double"], [1, "=A2*2"], [2, "=A3*2"]])
    with pytest.raises(PenstockError, match="never calculated stand in 'double'"):
        read(tmp_path)


def test_files_that_are_no_workbooks(tmp_path: Path) -> None:
    (tmp_path / "t.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    with pytest.raises(PenstockError, match="not an Excel file"):
        read(tmp_path)
    book(tmp_path, data=[])
    with pytest.raises(PenstockError, match="PEN103"):
        read(tmp_path)
