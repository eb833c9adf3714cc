"""Tables into files, folders and databases, part by part, whole or not at all. The same table gives the same bytes."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from penstock.components.formulas import Formulas, escaped, escaped_names
from penstock.errors import UsageError
from penstock.home.disk import disk_fault
from penstock.sources.location import place_of
from penstock.sources.sql_writing import write_sql

if TYPE_CHECKING:
    import pyarrow as pa

WRITABLE = (".csv", ".csv.gz", ".jsonl", ".jsonl.gz", ".parquet")
PART = "part-"


@dataclass(frozen=True)
class Destination:
    """A file by its suffix, a folder of Parquet files where the name ends in a slash, or a table of a database.

    `formulas`: whether texts that a spreadsheet would run are escaped in CSV files.
    """

    name: str
    table: str | None = None
    formulas: Formulas = "escape"

    @property
    def in_database(self) -> bool:
        return place_of(self.name) == "database"

    @property
    def is_folder(self) -> bool:
        return self.name.endswith(("/", os.sep)) or Path(self.name).is_dir()

    def require_possible(self) -> None:
        """Refuse a place that nothing can be written to, before there is anything to write."""
        place = place_of(self.name)
        if place == "database" and not self.table:
            raise UsageError(
                "PEN513", "a database needs a table", where=self.name, remedy="name the table to write: --table scores"
            )
        if place != "database" and self.table:
            raise UsageError(
                "PEN513", "only a database has tables", where=f"--table {self.table}", remedy="leave --table out"
            )
        if place in ("remote", "bundled"):
            raise UsageError(
                "PEN513",
                "tables can be written to this disk or to a database, not to this address",
                where=self.name,
                remedy="write a file here, and copy it there",
            )
        if place == "file" and self.is_folder:
            strange = [file.name for file in Path(self.name).glob("*") if not _is_part(file)]
            if strange:
                raise UsageError(
                    "PEN514",
                    f"the folder holds other things than parts of a table, such as '{strange[0]}'",
                    where=self.name,
                    remedy="name a file in it, or a folder that is empty or not there yet",
                )
        elif place == "file":
            _suffix(Path(self.name))

    def beside(self, word: str) -> Destination:
        """Where what goes with the table is written: scores.quarantine.csv, scores_quarantine."""
        if self.in_database:
            return replace(self, table=f"{self.table}_{word}")
        if self.is_folder:
            return replace(self, name=f"{self.name.rstrip('/' + os.sep)}.{word}/")
        suffix = _suffix(Path(self.name))
        return replace(self, name=f"{self.name[: -len(suffix)]}.{word}{suffix}")

    def write(self, chunks: Iterable[pa.Table]) -> None:
        """All parts have one schema, and there is at least one."""
        rest = iter(chunks)
        first = next(rest)
        whole = chain([first], rest)
        if self.in_database:
            write_sql(self.name, self.table or "", first.schema, whole, Path())
        elif self.is_folder:
            _write_folder(Path(self.name), whole)
        else:
            _write_file(Path(self.name), first.schema, whole, self.formulas)


def _suffix(path: Path) -> str:
    suffix = next((suffix for suffix in WRITABLE if path.name.lower().endswith(suffix)), None)
    if suffix is None:
        raise UsageError(
            "PEN121",
            f"the name '{path.name}' does not end in a known suffix",
            where=str(path),
            remedy=f"use one of these suffixes: {', '.join(WRITABLE)}; or name a folder, with a slash at its end",
        )
    return suffix


def _write_file(path: Path, schema: pa.Schema, chunks: Iterable[pa.Table], formulas: Formulas) -> None:
    suffix = _suffix(path)
    with _taking_place(path) as temporary, temporary.open("xb") as file:
        if suffix == ".parquet":
            _write_parquet(file, schema, chunks)
        else:
            with _zipped(file, suffix) as target:
                if suffix.startswith(".csv"):
                    _write_csv(target, schema.names, chunks, formulas)
                else:
                    _write_json_lines(target, chunks)
        file.flush()
        os.fsync(file.fileno())


def _write_folder(path: Path, chunks: Iterable[pa.Table]) -> None:
    with _taking_place(path) as temporary:
        temporary.mkdir()
        for number, part in enumerate(chunks):
            with (temporary / f"{PART}{number:05d}.parquet").open("xb") as file:
                _write_parquet(file, part.schema, [part])
                file.flush()
                os.fsync(file.fileno())


@contextmanager
def _taking_place(path: Path) -> Iterator[Path]:
    """A path beside, whose content becomes that of `path` when the body ends well."""
    temporary = path.with_name(f".writing-{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        if path.is_dir():
            before = path.with_name(f".writing-{secrets.token_hex(8)}-before")
            os.replace(path, before)
            os.replace(temporary, path)
            shutil.rmtree(before)
        else:
            os.replace(temporary, path)
    except OSError as error:
        raise disk_fault(error, path) from error
    finally:
        with suppress(OSError):
            shutil.rmtree(temporary) if temporary.is_dir() else temporary.unlink(missing_ok=True)


@contextmanager
def _zipped(file: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    if not suffix.endswith(".gz"):
        yield file
        return
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as target:
        yield target  # type: ignore[misc]


def _write_parquet(file: IO[bytes], schema: pa.Schema, chunks: Iterable[pa.Table]) -> None:
    import pyarrow.parquet as pq

    with pq.ParquetWriter(file, schema) as writer:
        for part in chunks:
            writer.write_table(part)


def _write_csv(file: IO[bytes], names: list[str], chunks: Iterable[pa.Table], formulas: Formulas) -> None:
    """Quotes only in parts that have values which need them."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    header = io.StringIO()
    names = escaped_names(names) if formulas == "escape" else names
    bare_return = any("\r" in name for name in names)  # which Python quotes from 3.13 on
    quoting: Literal[0, 1] = csv.QUOTE_ALL if bare_return else csv.QUOTE_MINIMAL
    csv.writer(header, lineterminator="\n", quoting=quoting).writerow(names)
    file.write(header.getvalue().encode())
    for part in map(escaped, chunks) if formulas == "escape" else chunks:
        buffer = pa.BufferOutputStream()
        try:
            arrow_csv.write_csv(part, buffer, arrow_csv.WriteOptions(include_header=False, quoting_style="none"))
        except pa.ArrowInvalid:
            buffer = pa.BufferOutputStream()
            arrow_csv.write_csv(part, buffer, arrow_csv.WriteOptions(include_header=False, quoting_style="needed"))
        file.write(buffer.getvalue())


def _write_json_lines(file: IO[bytes], chunks: Iterable[pa.Table]) -> None:
    """pandas would round numbers to fifteen digits."""
    for part in chunks:
        for batch in part.to_batches(max_chunksize=8192):
            lines = (json.dumps(record, ensure_ascii=False, default=_plain) for record in batch.to_pylist())
            file.write("".join(f"{line}\n" for line in lines).encode())


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _is_part(file: Path) -> bool:
    return file.name.startswith(PART) and file.name.endswith(".parquet")
