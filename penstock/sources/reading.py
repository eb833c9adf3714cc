"""From a source's text to its table, whatever kind it is of."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from penstock.errors import UsageError, did_you_mean_file, shorten
from penstock.sources import delimited, excel, json_lines, parquet
from penstock.sources.bundled import read_bundled
from penstock.sources.files import Folders, file_named, open_file, resolve
from penstock.sources.location import place_of
from penstock.sources.options import Reading
from penstock.sources.remote import fetched
from penstock.sources.sql import read_sql
from penstock.sources.table import Table, empty
from penstock.sources.unpacking import exhausted

if TYPE_CHECKING:
    import pandas as pd

ZIPPED = tuple(f"{suffix}.gz" for suffix in (*delimited.SUFFIXES, *json_lines.SUFFIXES))
READABLE = (*delimited.SUFFIXES, *json_lines.SUFFIXES, *parquet.SUFFIXES, *excel.SUFFIXES, *ZIPPED)
TEXT = {"delimiter", "quote", "decimal", "thousands", "encoding", "header"}
CHECK_PATH = (
    "check the path; a relative one starts at the folder of the pipeline file that names it, or at the one that the "
    "command is typed in"
)
ASK_FOR_IT = "ask its owner for the right to read it, or for a copy in a folder of yours"
THOUSANDS = {" ": "spaces", "'": "apostrophes"}
OPTIONS = {
    "text": TEXT,
    "json": {"encoding"},
    "excel": {"sheet", "header"},
    "parquet": set[str](),
    "database": {"query", "parameters"},
}


@contextmanager
def opened(
    source: str,
    reading: Reading,
    base: Path,
    *,
    folders: Folders = None,
    fewest_rows: int = 2,
    scratch: Path | None = None,
) -> Iterator[Table]:
    """The source's table; `base` is where relative paths start, `scratch` where large things wait on disk.

    `folders`: in which files of this machine may be; None where the user has named the source.
    """
    try:
        with _opened(source, reading, base, folders, scratch) as (table, where):
            yield described_table(table, source, reading).require_rows(fewest_rows, where)
    except MemoryError:
        raise exhausted(source) from None


@contextmanager
def _opened(
    source: str, reading: Reading, base: Path, folders: Folders, scratch: Path | None
) -> Iterator[tuple[Table, str]]:
    place = place_of(source)
    if place == "remote":
        with fetched(source, base, folders, scratch) as (path, where):
            yield _read_file(path, reading, scratch, where), source
    elif place == "file":
        yield _read_file(file_named(source, base), reading, scratch, folders), str(base / source)
    elif place == "database":
        _require_fitting(reading, "database", source)
        yield read_sql(source, reading, base, scratch, folders), source
    else:
        _require_fitting(reading, "parquet", source)
        yield read_bundled(source), source


def read_frame(
    source: str, reading: Reading, base: Path, *, folders: Folders = None, fewest_rows: int = 2
) -> pd.DataFrame:
    """The whole table in memory."""
    with opened(source, reading, base, folders=folders, fewest_rows=fewest_rows) as table:
        return table.frame()


def digest_of_file(path: Path, folders: Folders = None) -> str:
    """Digest of a file's bytes, or of all part files below a folder; empty where it cannot be read."""
    resolve(path, folders)
    try:
        if path.is_dir():
            parts = {str(file.relative_to(path)): digest_of_file(file, folders) for file in parquet.part_files(path)}
            return hashlib.sha256(repr(sorted(parts.items())).encode()).hexdigest()
        with open_file(path, folders) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def described(facts: dict[str, Any]) -> str:
    """What was read, in one line."""
    details = [
        f"separated by {facts['separated_by']}" if facts.get("separated_by") else None,
        "decimal comma" if facts.get("decimal") == "," else None,
        f"{THOUSANDS.get(mark, repr(mark))} for thousands" if (mark := facts.get("thousands")) else None,
        facts.get("encoding"),
        f"sheet '{facts['sheet']}'" if facts.get("sheet") else None,
        f"{facts['files']} files" if facts.get("files") else None,
        "no header" if facts.get("header") is False else None,
    ]
    size = f"{facts['rows']:,} rows, {facts['columns']} columns"
    return shorten("; ".join([f"{facts['source']}: {size}", ", ".join([facts["format"], *filter(None, details)])]), 300)


def described_table(table: Table, source: str, reading: Reading) -> Table:
    facts = {
        "source": source,
        **{name: fact for name, fact in table.facts.items() if fact is not None},
        "rows": table.rows,
        "columns": len(table.schema),
        "declared": sorted(reading.declared()),
    }
    return Table(table.schema, table.rows, table.batches, {**facts, "summary": described(facts)})


def _read_file(path: Path, reading: Reading, scratch: Path | None, folders: Folders) -> Table:
    resolve(path, folders)
    if path.is_dir():
        _require_fitting(reading, "parquet", str(path))
        if not parquet.part_files(path):
            raise UsageError(
                "PEN102",
                "this is a folder without Parquet files",
                where=str(path),
                remedy=f"name one file: {_near(path, path.name) or 'the folder holds no table'}",
            )
        return parquet.read_parquet(path, folders)
    name = path.name.lower()
    if not name.endswith(READABLE):
        raise UsageError(
            "PEN121",
            f"the name '{path.name}' does not end in a known suffix",
            where=str(path),
            remedy=f"use a file with one of these suffixes: {', '.join(READABLE)}"
            + ("; of JSON, write one record on each line and call it .jsonl" if name.endswith(".json") else ""),
        )
    _require_content(path, folders)
    plain = name.removesuffix(".gz")
    if plain.endswith(parquet.SUFFIXES):
        _require_fitting(reading, "parquet", str(path))
        return parquet.read_parquet(path, folders)
    if plain.endswith(excel.SUFFIXES):
        _require_fitting(reading, "excel", str(path))
        return excel.read_excel(path, reading, scratch, folders)
    if plain.endswith(json_lines.SUFFIXES):
        _require_fitting(reading, "json", str(path))
        return json_lines.read_json_lines(path, reading, scratch, folders)
    _require_fitting(reading, "text", str(path))
    return delimited.read_delimited(path, reading, folders)


def _require_fitting(reading: Reading, kind: str, where: str) -> None:
    strange = sorted(set(reading.declared()) - OPTIONS[kind])
    if strange:
        known = sorted(OPTIONS[kind])
        raise UsageError(
            "PEN143",
            f"`{strange[0]}` says nothing about this source",
            where=f"{where}: data.reading.{strange[0]}",
            remedy=f"leave it out; here one can say: {', '.join(known)}" if known else "leave it out",
        )


def _require_content(path: Path, folders: Folders) -> None:
    try:
        with open_file(path, folders) as file:
            is_empty = not file.read(1)
    except OSError as error:
        raise UsageError(
            "PEN101",
            f"cannot read the data: {error.strerror}",
            where=str(path),
            remedy=ASK_FOR_IT if isinstance(error, PermissionError) else _near(path.parent, path.name) or CHECK_PATH,
        ) from None
    if is_empty:
        raise empty(str(path))


def _near(folder: Path, name: str) -> str:
    tables = [file.name for file in folder.glob("*") if file.name.lower().endswith(READABLE)] if folder.is_dir() else []
    return shorten(did_you_mean_file(name, tables), 300) if tables else ""
