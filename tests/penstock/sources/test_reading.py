from __future__ import annotations

import errno
import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from penstock.errors import DataError, PenstockError, UsageError
from penstock.sources.options import Reading, reading_of
from penstock.sources.reading import opened, read_frame
from penstock.sources.writing import Destination


def read_table(path: Path, *, sample: int | None = None, seed: int = 0, fewest_rows: int = 2) -> pd.DataFrame:
    with opened(path.name, Reading(), path.parent, fewest_rows=fewest_rows) as table:
        return table.sample(sample, seed).frame()


def write_table(frame: pd.DataFrame, path: Path) -> None:
    Destination(str(path)).write([pa.Table.from_pandas(frame, preserve_index=False)])


TABLE = pd.DataFrame({"a": [1, 2, 3], "b": ["x", None, "a, b\nc"], "c": [0.5, np.nan, 2.0]})


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "T.CSV", "t.parquet", "t.jsonl", "t.jsonl.gz"])
def test_what_is_written_is_read_back(name: str, tmp_path: Path) -> None:
    write_table(TABLE, tmp_path / name)
    read = read_table(tmp_path / name)
    pd.testing.assert_frame_equal(read, TABLE)
    assert str(read["b"].dtype) == "str"
    first = (tmp_path / name).read_bytes()
    write_table(TABLE, tmp_path / name)
    assert (tmp_path / name).read_bytes() == first
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_compressed_files_hold_no_time(tmp_path: Path) -> None:
    write_table(TABLE, tmp_path / "t.csv.gz")
    assert (tmp_path / "t.csv.gz").read_bytes()[4:8] == bytes(4)


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl.gz", "t.parquet"])
def test_nothing_is_left_when_writing_fails(name: str, tmp_path: Path) -> None:
    write_table(TABLE, tmp_path / name)
    before = (tmp_path / name).read_bytes()

    def parts() -> Iterator[pa.Table]:
        yield pa.Table.from_pandas(TABLE, preserve_index=False)
        raise OSError("the rest cannot be read")

    with pytest.raises(OSError, match="the rest cannot be read"):
        Destination(str(tmp_path / name)).write(parts())
    assert (tmp_path / name).read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [name]
    with pytest.raises(UsageError) as caught:
        write_table(TABLE, tmp_path / "t.tsv")
    assert caught.value.code == "PEN121"


def test_tabs_have_no_quotes_so_a_lone_quote_swallows_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text('label\ttext\nham\t"so he said\nspam\tfine\nham\tend"\n')
    read = read_table(path)
    assert read["label"].tolist() == ["ham", "spam", "ham"]
    assert read["text"][0] == '"so he said'


def test_words_for_missing_and_a_mark_of_order(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"\xef\xbb\xbfa,b,c\r\n1,NA,None\r\n,x,yes\r\n3,?,no\r\n")
    read = read_table(path)
    assert [*read.columns] == ["a", "b", "c"]
    assert read.isna().to_numpy().tolist() == [[False, True, True], [True, False, False], [False, False, False]]
    assert read["b"][2] == "?"


def test_a_sample_is_drawn_by_seed_and_keeps_the_order(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    pd.DataFrame({"a": range(1000)}).to_csv(path, index=False)
    drawn = read_table(path, sample=100, seed=3)["a"].tolist()
    assert len(set(drawn)) == 100
    assert drawn == sorted(drawn)
    assert drawn == read_table(path, sample=100, seed=3)["a"].tolist()
    assert drawn != read_table(path, sample=100, seed=4)["a"].tolist()
    assert len(read_table(path, sample=5000)) == 1000


def test_parquet_keeps_a_named_index_as_a_column(tmp_path: Path) -> None:
    TABLE.set_index(pd.Index([7, 8, 9], name="id")).to_parquet(tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet")["id"].tolist() == [7, 8, 9]
    TABLE.set_axis([7, 8, 9]).to_parquet(tmp_path / "t.parquet")
    assert [*read_table(tmp_path / "t.parquet").columns] == ["a", "b", "c"]


def test_one_row_is_enough_where_the_caller_says_so(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    assert len(read_table(tmp_path / "t.csv", fewest_rows=1)) == 1


@pytest.mark.parametrize(
    ("name", "content", "code", "where", "words"),
    [
        ("t.csv", b"", "PEN103", "", "a header and rows"),
        ("t.csv", b"\n\n", "PEN103", "", "a header and rows"),
        ("t.csv.gz", gzip.compress(b"", mtime=0), "PEN103", "", "a header and rows"),
        ("t.csv", b"a,b\n", "PEN104", "", "more rows: at least 2"),
        ("t.csv", b"a,b", "PEN104", "", "more rows: at least 2"),
        ("t.csv", b"a,b\n1,2\n", "PEN108", "", "more rows: at least 2"),
        ("t.csv", "a,b\n1,tr\u00e8s\n2,y\n".encode("cp1252"), "PEN130", "", "reading: {encoding: cp1252}"),
        ("t.csv", "a,b\n1,2\n2,3\n".encode("utf-16-le"), "PEN130", "", "reading: {encoding: utf-16-le}"),
        ("t.csv", "a,b\n1,2\n2,3\n".encode("utf-16")[:-1], "PEN105", "", "encoding"),
        ("t.csv", b"a,b,a\n1,2,3\n1,2,3\n", "PEN106", "header", "rename columns"),
        ("t.csv", b"a,b\n1,2\n3\n4,5\n", "PEN109", "line 3", "quotes"),
        ("t.csv", b"a,b\n1,2\n3,4,5\n4,5\n", "PEN109", "line 3", "quotes"),
        ("t.csv", b'a,b\n1,"x\ny"\n\n3,4,5\n4,5\n', "PEN109", "line 5", "quotes"),
        ("t.csv", b"a,b\n1,2,3\n3,4,5\n", "PEN109", "line 2", "quotes"),
        ("t.csv", b'a,b\n1,"x\n3,4\n', "PEN109", "", "quotes"),
        ("t.tsv", b"a\tb\n1\t2\t3\n4\t5\n", "PEN109", "line 2", "quotes"),
        ("t.csv.gz", b"this is no gzip file", "PEN109", "", "without .gz"),
        ("t.jsonl.gz", b'{"a": 1}', "PEN109", "", "without .gz"),
        ("t.xlsx", b"\xd0\xcf\x11\xe0" + bytes(500), "PEN109", "", "without a password"),
        ("t.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 5000, mtime=0)[:-20], "PEN109", "", "damaged"),
        ("t.parquet", b"this is no parquet file", "PEN109", "", "damaged"),
        ("t.csv", b"_row_id,b\n1,2\n3,4\n", "PEN122", "header", "declare it as `key`"),
    ],
)
@pytest.mark.covers("proc_dataset_contract")
def test_files_that_cannot_be_used_are_refused(
    name: str, content: bytes, code: str, where: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        read_table(path)
    assert caught.value.code == code
    assert caught.value.exit_status == 3
    assert caught.value.where.startswith(str(path))
    assert caught.value.where.endswith(where)
    assert words in caught.value.remedy


def test_the_bad_byte_is_found_far_into_the_file(tmp_path: Path) -> None:
    content = bytearray(b"aa,bbbb\n" + "1,\u00e9\n".encode() * 400_000)
    assert content[2**20 - 1 : 2**20 + 1] == "\u00e9".encode()  # a letter on the border of what is read at once
    content[1_500_000] = 0xFF
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(DataError, match="byte 1500000 cannot"):
        read_frame("t.csv", Reading(encoding="utf-8"), tmp_path)


def error_of(path: Path) -> PenstockError:
    with pytest.raises(UsageError) as caught:
        read_table(path)
    assert caught.value.exit_status == 2
    return caught.value


def test_paths_that_are_wrong(tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("a\n1\n2\n")
    absent = error_of(tmp_path / "sale.csv")
    assert (absent.code, absent.remedy) == ("PEN101", "did you mean 'sales.csv'?")
    nowhere = error_of(tmp_path / "no" / "t.csv")
    assert nowhere.code == "PEN101"
    assert "check the path" in nowhere.remedy
    folder = error_of(tmp_path)  # a folder of CSV files
    assert folder.code == "PEN102"
    assert "sales.csv" in folder.remedy
    (tmp_path / "t.doc").write_text("a")
    strange = error_of(tmp_path / "t.doc")
    assert strange.code == "PEN121"
    assert ".csv, .tsv, .txt, .jsonl" in strange.remedy


def test_a_file_that_may_not_be_read_is_no_other_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    monkeypatch.setattr(Path, "open", closed)
    with pytest.raises(UsageError) as caught:
        read_table(tmp_path / "t.csv")
    assert (caught.value.code, caught.value.where) == ("PEN101", str(tmp_path / "t.csv"))
    assert "the right to read it" in caught.value.remedy


def test_parameters_are_given_as_yaml() -> None:
    given = reading_of(["query=select * from t where c = :c and n < :n", "parameters={c: Rome, n: 3}"])
    assert given.parameters == {"c": "Rome", "n": 3}
    with pytest.raises(UsageError, match="PEN003"):
        reading_of(["parameters=Rome"])
    with pytest.raises(UsageError, match="cannot be the decimal mark") as caught:
        reading_of(["decimal=,", "thousands=,"])
    assert "between groups of three digits" in caught.value.remedy


def test_a_source_that_takes_all_memory_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pd.DataFrame({"a": [1, 2]}).to_parquet(tmp_path / "t.parquet")

    def full(*_: object) -> None:
        raise pa.ArrowMemoryError("malloc of size 4294967296 failed")

    monkeypatch.setattr("penstock.sources.parquet.kept", full)
    with pytest.raises(
        DataError, match=r"PEN148(.|\n)*more memory than there is(.|\n)*export PENSTOCK_MAX_UNPACKED_MB="
    ):
        read_frame("t.parquet", Reading(), tmp_path)
