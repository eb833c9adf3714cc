"""JSON lines: one record a line. Lists and records within a record are kept as JSON text."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from penstock.components.sources.delimited import open_bytes
from penstock.components.sources.options import Reading
from penstock.components.sources.spool import spooled
from penstock.components.sources.table import Table, cut_short, empty, require_names, unreadable
from penstock.errors import DataError, shorten

SUFFIXES = (".jsonl", ".ndjson")
RECORDS_NEEDED = 'write one record a line, such as {"age": 31, "plan": "pro"}'


def read_json_lines(path: Path, reading: Reading, scratch: Path | None = None) -> Table:
    where = str(path)
    names: list[str] = []
    encoding = reading.encoding or "utf-8"
    zipped = "gzip" if path.name.lower().endswith(".gz") else None
    try:
        facts = {"format": "json lines", "encoding": encoding, "compression": zipped}
        table = spooled(names, _rows(path, names, where, encoding), facts, scratch)
    except (OSError, EOFError, zlib.error) as error:
        raise cut_short(where, error) from None
    if not names:
        raise empty(where)
    require_names(names, where)
    return table


def _rows(path: Path, names: list[str], where: str, encoding: str) -> Iterator[list[Any]]:
    """The values of each record in the order of `names`, which grow as new ones are met."""
    at: dict[str, int] = {}
    with open_bytes(path) as file:
        for number, line in enumerate(file, start=1):
            record = _record(line, f"{where}, line {number}", encoding)
            if record is None:
                continue
            for name in record:
                if name not in at:
                    at[name] = len(names)
                    names.append(name)
            yield [record.get(name) for name in names]


def _record(line: bytes, where: str, encoding: str) -> dict[str, Any] | None:
    try:
        text = line.decode("utf-8-sig" if encoding == "utf-8" else encoding).strip()
        record = json.loads(text, object_pairs_hook=_once, parse_constant=_constant) if text else None
    except UnicodeDecodeError as error:
        raise DataError(
            "PEN105",
            f"the text is not in {encoding}: {error.reason}",
            where=where,
            remedy="say its encoding: `data: {reading: {encoding: cp1252}}`",
        ) from None
    except (ValueError, RecursionError) as error:
        raise unreadable(where, f"this is no JSON record: {shorten(str(error), 100)}", RECORDS_NEEDED) from None
    if record is not None and not isinstance(record, dict):
        raise unreadable(where, f"this is no record, but {shorten(text, 40)}", RECORDS_NEEDED)
    return record


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"'{twice}' occurs twice")
    return record


def _constant(word: str) -> float | None:
    return None if word == "NaN" else float(word)
