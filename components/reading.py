"""Tables from files and back: CSV (also compressed, or separated by tabs) and Parquet, by the file's suffix."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import itertools
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from penstock.components.schema import MISSING_WORDS, ROW_ID
from penstock.errors import DataError, UsageError, did_you_mean, examples, shorten
from penstock.store import write_atomically

WRITABLE = (".csv", ".csv.gz", ".parquet")
READABLE = (*WRITABLE, ".tsv")
QUOTES_NEEDED = "correct the file there; a value that contains the separator or a line break needs quotes around it"
FILE_NEEDED = "get the file again from where it came; this copy is damaged"


def read_table(path: Path, *, sample: int | None = None, seed: int = 0, fewest_rows: int = 2) -> pd.DataFrame:
    """All rows, or `sample` of them drawn by `seed`, in the file's order."""
    suffix = _suffix(path, READABLE)
    _require_content(path)
    frame = _read_parquet(path) if suffix == ".parquet" else _read_csv(path, tabs=suffix == ".tsv")
    if len(frame) < fewest_rows:
        what = "a header but no rows" if frame.empty else f"only {len(frame)} row(s)"
        raise DataError(
            "PEN104" if frame.empty else "PEN108",
            f"the file has {what}",
            where=str(path),
            remedy=f"use a file with more rows: at least {fewest_rows}",
        )
    if sample is not None and sample < len(frame):
        drawn = np.random.default_rng(seed).choice(len(frame), size=sample, replace=False)
        frame = frame.iloc[np.sort(drawn)].reset_index(drop=True)
    return frame


def write_table(frame: pd.DataFrame, path: Path) -> None:
    """Write the whole table or nothing, as CSV or Parquet; the same table gives the same bytes."""
    suffix = _suffix(path, WRITABLE)
    buffer = io.BytesIO()
    if suffix == ".parquet":
        frame.to_parquet(buffer, index=False)
    else:
        frame.to_csv(buffer, index=False)
    content = buffer.getvalue()
    write_atomically(path, gzip.compress(content, mtime=0) if suffix.endswith(".gz") else content)


def _suffix(path: Path, known: tuple[str, ...]) -> str:
    if path.is_dir():
        raise UsageError(
            "PEN102",
            "this is a folder, not a file",
            where=str(path),
            remedy=f"name one file: {_near(path, path.name) or 'the folder holds no table'}",
        )
    for suffix in known:
        if path.name.lower().endswith(suffix):
            return suffix
    raise UsageError(
        "PEN121",
        f"the name '{path.name}' does not end in a known suffix",
        where=str(path),
        remedy=f"use a file with one of these suffixes: {', '.join(known)}",
    )


def _require_content(path: Path) -> None:
    try:
        with path.open("rb") as file:
            empty = not file.read(1)
    except OSError as error:
        raise UsageError(
            "PEN101",
            f"cannot read the data: {error.strerror}",
            where=str(path),
            remedy=_near(path.parent, path.name)
            or "check the path; a relative one starts at the pipeline file's folder",
        ) from None
    if empty:
        raise _empty(path)


def _near(folder: Path, name: str) -> str:
    tables = [file.name for file in folder.glob("*") if file.name.lower().endswith(READABLE)] if folder.is_dir() else []
    return shorten(did_you_mean(name, tables), 300) if tables else ""


def _empty(path: Path) -> DataError:
    return DataError("PEN103", "the file is empty", where=str(path), remedy="use a file with a header and rows")


def _read_parquet(path: Path) -> pd.DataFrame:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        _require_names(pq.read_schema(path).names, path)
        frame = pd.read_parquet(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise _unreadable(path, f"this is not a Parquet file: {error}", FILE_NEEDED) from None
    return frame.reset_index(drop=frame.index.names == [None])


def _read_csv(path: Path, *, tabs: bool) -> pd.DataFrame:
    """Files separated by tabs have no quoting: a lone quote in a text would swallow the rows after it."""
    try:
        header = next(_records(path, tabs), None)
        if header is None:
            raise _empty(path)
        _require_names(header[1], path)
        _require_separator(header[1], path)
        _require_even_rows(path, header[1][0], tabs)
        return pd.read_csv(
            path,
            sep="\t" if tabs else ",",
            quoting=csv.QUOTE_NONE if tabs else csv.QUOTE_MINIMAL,
            encoding="utf-8",
            index_col=False,
            low_memory=False,
            keep_default_na=False,
            na_values=sorted(MISSING_WORDS),
        )
    except UnicodeDecodeError:
        _require_utf8(path)
        raise
    except pd.errors.ParserError as error:
        raise _unreadable(path, str(error).strip(), QUOTES_NEEDED) from None
    except (OSError, EOFError, zlib.error) as error:
        raise _unreadable(path, f"the file cannot be read to its end: {error}", FILE_NEEDED) from None


def _open(path: Path) -> gzip.GzipFile | io.BufferedReader:
    return gzip.open(path, "rb") if path.name.lower().endswith(".gz") else path.open("rb")


def _records(path: Path, tabs: bool) -> Iterator[tuple[int, list[str]]]:
    """(line, values) of each record; blank lines are passed over."""
    with _open(path) as file, io.TextIOWrapper(file, encoding="utf-8-sig", newline="") as text:
        reader = csv.reader(text, delimiter="\t", quoting=csv.QUOTE_NONE) if tabs else csv.reader(text)
        for values in reader:
            if values:
                yield reader.line_num, values


def _require_names(names: list[str], path: Path) -> None:
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise DataError(
            "PEN106",
            f"{len(twice)} column name(s) occur more than once: {examples(twice)}",
            where=f"{path}, header",
            remedy="rename columns, so that each has a name of its own",
        )
    if ROW_ID in names:
        raise DataError(
            "PEN122",
            f"the column name '{ROW_ID}' is reserved for Penstock's own row ids",
            where=f"{path}, header",
            remedy="rename the column; if it names the rows, declare it as `key`",
        )


def _require_separator(names: list[str], path: Path) -> None:
    other = next((mark for mark in ";\t|" if mark in names[0]), None)
    if len(names) == 1 and other:
        raise DataError(
            "PEN109",
            f"the values seem to be separated by {other!r}, so that the file has one column",
            where=f"{path}, header",
            remedy="separate the values by commas; a file separated by tabs is to be named .tsv",
        )


def _require_even_rows(path: Path, first: str, tabs: bool) -> None:
    """pandas fills rows that are too short without a word, so another parser counts their values before."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    try:
        reader = arrow_csv.open_csv(
            path,
            read_options=arrow_csv.ReadOptions(use_threads=False),  # else it does not know the number of the row
            parse_options=arrow_csv.ParseOptions(
                delimiter="\t" if tabs else ",", quote_char=False if tabs else '"', newlines_in_values=not tabs
            ),
            convert_options=arrow_csv.ConvertOptions(
                check_utf8=False, include_columns=[first], column_types={first: pa.string()}
            ),
        )
        for _ in reader:
            pass
    except pa.ArrowInvalid as error:
        if "Empty CSV" in str(error):  # a header and nothing else, not even a line's end
            return
        _require_utf8(path)
        uneven = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+): (.*)", str(error), re.DOTALL)
        if not uneven:
            raise _unreadable(path, str(error), QUOTES_NEEDED) from None
        row, expected, actual, text = uneven.groups()
        line, _ = next(itertools.islice(_records(path, tabs), int(row) - 1, None))
        what = f"a row has {actual} value(s), the header has {expected}: {examples([text])}"
        raise _unreadable(path, what, QUOTES_NEEDED, line) from None


def _require_utf8(path: Path) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")()
    position = 0
    with _open(path) as file:
        chunk = b"unread"
        while chunk:
            chunk = file.read(1 << 20)
            waiting = len(decoder.getstate()[0])
            try:
                decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                raise DataError(
                    "PEN105",
                    f"the file is not UTF-8 text: byte {position + error.start - waiting} cannot be read",
                    where=str(path),
                    remedy=f"convert it, for example: iconv -f WINDOWS-1252 -t UTF-8 {path.name} > converted.csv",
                ) from None
            position += len(chunk)


def _unreadable(path: Path, why: str, remedy: str, line: int | None = None) -> DataError:
    return DataError("PEN109", why, where=f"{path}, line {line}" if line else str(path), remedy=remedy)
