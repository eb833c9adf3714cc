from __future__ import annotations

import gzip
from pathlib import Path

import pandas as pd
import pytest

from penstock.errors import DataError
from penstock.sources import json_lines, spool, table
from penstock.sources.json_lines import read_json_lines
from penstock.sources.options import Reading


def read(folder: Path, content: str | bytes, name: str = "t.jsonl") -> pd.DataFrame:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_json_lines(path, Reading()).frame()


def test_records_of_any_order_and_with_gaps(tmp_path: Path) -> None:
    frame = read(tmp_path, '{"a": 1, "b": "x"}\n\n{"b": "NA", "a": 2.5, "c": true}\n{"d": null, "a": NaN}\n')
    assert [*frame.columns] == ["a", "b", "c", "d"]
    assert frame["a"].tolist()[:2] == [1.0, 2.5]
    assert frame.isna().sum().tolist() == [1, 2, 2, 3]


def test_types_are_those_of_all_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "BATCH_ROWS", 10)
    lines = [f'{{"whole": {n}, "number": {n}, "text": {n}, "late": null}}\n' for n in range(25)]
    frame = read(tmp_path, "".join(lines) + '{"whole": 1, "number": 0.5, "text": "x", "late": "y", "new": 1}\n')
    assert [str(dtype) for dtype in frame.dtypes] == ["int64", "float64", "str", "str", "float64"]
    assert frame["text"].tolist()[:3] == ["0", "1", "2"]
    assert frame["late"].tolist()[-1] == "y"


def test_nested_values_and_large_numbers_are_texts(tmp_path: Path) -> None:
    frame = read(tmp_path, '{"a": [1, {"b": 2}], "n": 123456789012345678901}\n{"a": {}, "n": 1}\n')
    assert frame["a"].tolist() == ['[1, {"b": 2}]', "{}"]
    assert frame["n"].tolist() == ["123456789012345678901", "1"]


def test_compressed(tmp_path: Path) -> None:
    assert read(tmp_path, gzip.compress(b'{"a": 1}\n{"a": 2}\n'), "t.jsonl.gz")["a"].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("content", "code", "where", "words"),
    [
        (b'{"a": 1}\n{"a": 2\n', "PEN109", "line 2", "one record a line"),
        (b'{"a": 1}\n[1, 2]\n', "PEN109", "line 2", "one record a line"),
        (b'{"a": 1, "a": 2}\n', "PEN109", "line 1", "one record a line"),
        (b'{"a": "caf\xe9"}\n', "PEN105", "line 1", "encoding"),
        (b'{"_row_id": 1}\n{"_row_id": 1}\n', "PEN122", "header", "key"),
        (b"\n\n", "PEN103", "t.jsonl", "rows"),
        (b"[" * 100_000, "PEN109", "line 1", "one record a line"),
    ],
)
def test_files_that_cannot_be_used(content: bytes, code: str, where: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read(tmp_path, content)
    assert caught.value.code == code
    assert caught.value.where.endswith(where)
    assert words in caught.value.remedy


@pytest.mark.parametrize("digits", ["1e400", "-1.5E999", "9" * 5000])
def test_numbers_too_large_for_a_number_stay_as_they_are_written(tmp_path: Path, digits: str) -> None:
    frame = read(tmp_path, f'{{"a": {digits}}}\n{{"a": 2.5}}\n')
    assert frame["a"].tolist() == [digits, "2.5"]


def test_ever_new_names_come_to_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MAX_COLUMNS", 100)
    with pytest.raises(DataError, match="more than 100 columns") as caught:
        read(tmp_path, "".join(f'{{"c{number}": 1}}\n' for number in range(200)))
    assert (caught.value.code, caught.value.where) == ("PEN168", f"{tmp_path}/t.jsonl, line 101")
    assert "choose columns" in caught.value.remedy


def test_a_line_without_end_is_not_read_into_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_lines, "MAX_LINE", 1 << 20)
    content = gzip.compress(b'{"a": 1}\n{"a": "' + b"x" * (1 << 22) + b'"}\n')
    with pytest.raises(DataError, match=r"PEN109: the line is longer than 1 MB(.|\n)*line 2"):
        read(tmp_path, content, "t.jsonl.gz")


def test_parts_are_as_long_as_memory_allows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "BATCH_BYTES", 1 << 12)
    lines = "".join(f'{{"a": "{"x" * 1000}", "n": {number}}}\n' for number in range(50))
    (tmp_path / "t.jsonl").write_text(lines)
    made = read_json_lines(tmp_path / "t.jsonl", Reading())
    assert max(batch.num_rows for batch in made.batches()) < 6
    assert made.frame()["n"].tolist() == [*range(50)]
    (tmp_path / "t.jsonl").write_text("".join(f'{{"c{number}": 1}}\n' for number in range(200)))
    assert max(batch.num_rows for batch in read_json_lines(tmp_path / "t.jsonl", Reading()).batches()) < 40


def test_records_that_say_little_are_counted_by_their_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_MAX_UNPACKED_MB", "1")
    names = ", ".join(f'"c{number}": 1' for number in range(500))
    with pytest.raises(DataError, match="PEN148"):
        read(tmp_path, f"{{{names}}}\n" + "{}\n" * 1000)


def test_a_number_of_hundreds_of_digits_among_fractions_is_said_as_it_is(tmp_path: Path) -> None:
    assert read(tmp_path, f'{{"a": 1.5}}\n{{"a": {"9" * 400}}}\n')["a"].tolist() == ["1.5", "9" * 400]
