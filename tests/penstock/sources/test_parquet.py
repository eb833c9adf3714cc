from __future__ import annotations

import datetime
import decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from penstock.errors import DataError, PenstockError
from penstock.sources import decoding
from penstock.sources.parquet import read_parquet
from penstock.sources.reading import digest_of_file


def test_a_folder_of_parts_is_read_in_order_of_their_names(tmp_path: Path) -> None:
    for number in (2, 0, 1):
        pd.DataFrame({"a": [number * 10, number * 10 + 1]}).to_parquet(tmp_path / f"part-{number}.parquet")
    (tmp_path / "_SUCCESS").touch()
    pd.DataFrame({"other": [1]}).to_parquet(tmp_path / "_metadata.parquet")
    before = digest_of_file(tmp_path)
    table = read_parquet(tmp_path)
    assert table.frame()["a"].tolist() == [0, 1, 10, 11, 20, 21]
    assert (table.rows, table.facts["files"]) == (6, 3)
    (tmp_path / "part-1.parquet").rename(tmp_path / "part-9.parquet")
    assert digest_of_file(tmp_path) != before


def test_folders_named_like_values_are_columns(tmp_path: Path) -> None:
    for year in (2023, 2024):
        (tmp_path / f"year={year}").mkdir()
        pd.DataFrame({"a": [1, 2]}).to_parquet(tmp_path / f"year={year}" / "part.parquet")
    assert read_parquet(tmp_path).frame()["year"].tolist() == [2023, 2023, 2024, 2024]


@pytest.mark.parametrize(
    ("first", "second", "values"),
    [
        (pa.array([1, 2]), pa.array([0.5, None]), [1.0, 2.0, 0.5, None]),
        (pa.array([0.5, None]), pa.array([1, 2]), [0.5, None, 1.0, 2.0]),
        (pa.array([None, None]), pa.array(["x", "y"]), [None, None, "x", "y"]),
        (pa.array(["x", "y"]), pa.array([None, None]), ["x", "y", None, None]),
        (pa.array([1, 2], pa.int32()), pa.array([3, 2**40]), [1, 2, 3, 2**40]),
        (pa.array(["x", "y"]), pa.array(["x", "z"]).dictionary_encode(), ["x", "y", "x", "z"]),
    ],
)
def test_types_of_parts_that_hold_the_same_values_are_widened(
    tmp_path: Path, first: pa.Array, second: pa.Array, values: list[Any]
) -> None:
    for number, column in enumerate((first, second)):
        pq.write_table(pa.table({"n": [number, number], "v": column}), tmp_path / f"{number}.parquet")
    table = read_parquet(tmp_path)
    rows = [value for batch in table.batches() for value in batch.column("v").to_pylist()]
    assert (rows, table.rows) == (values, 4)


def test_a_part_with_other_columns_is_refused(tmp_path: Path) -> None:
    pd.DataFrame({"a": [1], "b": [1]}).to_parquet(tmp_path / "1.parquet")
    for other in ({"a": [1]}, {"a": [1], "b": ["x"]}, {"a": [1], "b": [1], "c": [1]}):
        pd.DataFrame(other).to_parquet(tmp_path / "2.parquet")
        with pytest.raises(DataError) as caught:
            read_parquet(tmp_path)
        assert (caught.value.code, caught.value.where.endswith("2.parquet, beside 1.parquet")) == ("PEN142", True)


def test_types_are_kept_or_made_usual_ones(tmp_path: Path) -> None:
    table = pa.table(
        {
            "day": pa.array([datetime.date(2024, 12, 31), None]),
            "price": pa.array([decimal.Decimal("1.50"), None]),
            "plan": pa.array(["a", "b"]).dictionary_encode(),
            "small": pa.array([1, 2], pa.int8()),
            "none": pa.nulls(2),
            "at": pa.array([datetime.datetime(2024, 1, 1, 12), None], pa.timestamp("ns")),
        }
    )
    pq.write_table(table, tmp_path / "t.parquet")
    read = read_parquet(tmp_path / "t.parquet")
    kinds = ["timestamp[us]", "double", "large_string", "int8", "double", "timestamp[us]"]
    assert [str(kind) for kind in read.schema.types] == kinds
    assert read.frame()["day"][0] == pd.Timestamp("2024-12-31")


def test_an_ordered_category_keeps_its_order(tmp_path: Path) -> None:
    mood = pd.Categorical(["high", "low"], categories=["low", "mid", "high"], ordered=True)
    pd.DataFrame({"mood": mood}).to_parquet(tmp_path / "t.parquet")
    assert read_parquet(tmp_path / "t.parquet").frame()["mood"].cat.categories.tolist() == ["low", "mid", "high"]


def test_what_was_read_is_not_kept(tmp_path: Path) -> None:
    """Left to itself, Arrow holds the raw bytes of a file until its last row is read."""
    numbers = np.random.default_rng(0).normal(size=(50, 40_000))
    table = pa.table({"x": numbers[0]})
    with pq.ParquetWriter(tmp_path / "rows.parquet", table.schema) as writer:
        for part in numbers:
            writer.write_table(pa.table({"x": part}))
    before = pa.total_allocated_bytes()
    held = [pa.total_allocated_bytes() - before for _ in read_parquet(tmp_path / "rows.parquet").batches()]
    # Some parts are read ahead, more or fewer of them as the machine has time.
    assert max(held) < (tmp_path / "rows.parquet").stat().st_size / 2


@pytest.mark.parametrize(
    "labels",
    [b"{", b"[1]", b"\xff", b'{"index_columns": 1}', b'{"index_columns": [{"kind": "range", "name": "x"}]}',
     b'{"index_columns": [{"kind": "range", "name": "x", "start": "y", "step": []}]}'],
)  # fmt: skip
def test_damaged_labels_are_said(tmp_path: Path, labels: bytes) -> None:
    pq.write_table(pa.table({"a": [1, 2]}).replace_schema_metadata({b"pandas": labels}), tmp_path / "t.parquet")
    with pytest.raises(DataError, match="PEN109"):
        read_parquet(tmp_path / "t.parquet").frame()


def test_missing_values_are_counted_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They take no place in a file: a few bytes hold as many as one likes."""
    pq.write_table(pa.table({"a": pa.nulls(1 << 21), "b": pa.nulls(1 << 21, pa.bool_())}), tmp_path / "t.parquet")
    assert (tmp_path / "t.parquet").stat().st_size < 1 << 16
    monkeypatch.setenv("PENSTOCK_MAX_UNPACKED_MB", "1")
    with pytest.raises(PenstockError, match="PEN148"):
        read_parquet(tmp_path / "t.parquet")


LONG = "x" * 50_000
ROWS = 300
CELLS = {
    "texts": pa.array([LONG, None] * (ROWS // 2)),
    "bytes": pa.array([LONG.encode()] * ROWS),
    "categories": pa.array([LONG] * ROWS).dictionary_encode(),
    "lists of texts": pa.array([[LONG], None, []] * (ROWS // 3)),
    "lists of lists": pa.array([[[LONG, "a"]], [["b"]]] * (ROWS // 2)),
    "records": pa.array([{"note": LONG, "n": 1}] * ROWS),
    "maps": pa.array([[("a", LONG)], [("b", "c"), ("d", "e")], None] * (ROWS // 3), pa.map_(pa.string(), pa.string())),
    "values of one size": pa.array([LONG.encode()] * ROWS, pa.binary(len(LONG))),
    "lists of numbers": pa.array([[1.5] * 6000, [], None] * (ROWS // 3)),
}


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(decoding, "BATCH_BYTES", 1 << 21)
    return 1 << 21


@pytest.mark.parametrize("kind", CELLS)
def test_long_values_that_are_repeated_take_little_memory(tmp_path: Path, small_batches: int, kind: str) -> None:
    """A Parquet file holds each of them once; a batch of its rows would hold it again and again."""
    written = pa.table({"a.b": CELLS[kind], "n": pa.array(range(ROWS))})
    pq.write_table(written, tmp_path / "t.parquet")
    assert (tmp_path / "t.parquet").stat().st_size < 1 << 17
    most = rows = 0
    for batch in read_parquet(tmp_path / "t.parquet").batches():
        most = max(most, batch.get_total_buffer_size())
        here = written.slice(rows, batch.num_rows)
        rows += batch.num_rows
        assert batch.column("n").equals(here["n"].combine_chunks())
        assert batch.column("a.b").cast(written.schema.field("a.b").type).equals(here["a.b"].combine_chunks())
    assert rows == ROWS
    assert most < 2 * small_batches


def test_a_prefix_that_is_repeated_takes_little_memory(tmp_path: Path, small_batches: int) -> None:
    written = pa.table({"a": [LONG + str(row) for row in range(ROWS)]})
    encoding = {"a": "DELTA_BYTE_ARRAY"}
    pq.write_table(written, tmp_path / "t.parquet", use_dictionary=False, column_encoding=encoding)
    assert (tmp_path / "t.parquet").stat().st_size < 1 << 17
    sizes = [batch.nbytes for batch in read_parquet(tmp_path / "t.parquet").batches()]
    assert len(sizes) > 2
    assert max(sizes) < small_batches


@pytest.mark.parametrize("kind", CELLS)
def test_long_values_are_counted_before_they_are_written_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    pq.write_table(pa.table({"a": CELLS[kind]}), tmp_path / "t.parquet")
    monkeypatch.setenv("PENSTOCK_MAX_UNPACKED_MB", "2")
    monkeypatch.setattr("penstock.sources.parquet.kept", lambda *_: pytest.fail("written out"))
    with pytest.raises(PenstockError, match=r"PEN148(.|\n)*2 MB"):
        next(read_parquet(tmp_path / "t.parquet").batches())
