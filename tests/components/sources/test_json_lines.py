from __future__ import annotations

import gzip
from pathlib import Path

import pandas as pd
import pytest

from penstock.components.sources import spool
from penstock.components.sources.json_lines import read_json_lines
from penstock.components.sources.options import Reading
from penstock.errors import DataError


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
