from __future__ import annotations

import datetime
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest

from penstock.errors import PenstockError
from penstock.sources import excel
from penstock.sources.options import Reading
from penstock.sources.reading import read_frame


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


PARTS = ("xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml", "[Content_Types].xml")


def repack(file: Path, part: str, content: bytes) -> None:
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(file, "w") as archive:
        for name, known in parts.items():
            archive.writestr(name, content if name == part else known)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("content", [b"", b"<a", b'<a xmlns="x" y="1"><b></a>'])
def test_a_damaged_workbook_is_said(tmp_path: Path, part: str, content: bytes) -> None:
    book(tmp_path, data=[["a", "b"], [1, "x"], [2, "y"]])
    repack(tmp_path / "t.xlsx", part, content)
    with pytest.raises(PenstockError, match="PEN109"):
        read(tmp_path)


def test_a_workbook_whose_packing_is_damaged(tmp_path: Path) -> None:
    book(tmp_path, data=[["a"], [1], [2]])
    whole = (tmp_path / "t.xlsx").read_bytes()
    at = whole.index(b"xl/worksheets/sheet1.xml") + 40
    (tmp_path / "t.xlsx").write_bytes(whole[:at] + b"\xff" * 9 + whole[at + 9 :])
    with pytest.raises(PenstockError, match="PEN109"):
        read(tmp_path)


def test_rows_that_are_left_out_come_to_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """openpyxl gives an empty one for each number between two."""
    monkeypatch.setattr(excel, "MAX_ROWS", 1000)
    book(tmp_path, data=[["a"], [1]])
    place = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    for last, ends in (("999", True), ("99999999999", False)):
        rows = "".join(f'<row r="{at}"><c r="A{at}" t="str"><v>x</v></c></row>' for at in ("1", last))
        content = f"<worksheet {place}><sheetData>{rows}</sheetData></worksheet>"
        repack(tmp_path / "t.xlsx", "xl/worksheets/sheet1.xml", content.encode())
        if ends:
            assert len(read(tmp_path)) == 1
        else:
            with pytest.raises(PenstockError, match="more than 1,000 rows"):
                read(tmp_path)
