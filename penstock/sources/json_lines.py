"""JSON lines: one record a line. Lists and records within a record are kept as JSON text."""

from __future__ import annotations

import json
import math
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from penstock.errors import DataError, shorten
from penstock.sources.files import Folders
from penstock.sources.options import Reading
from penstock.sources.spool import spooled
from penstock.sources.table import Table, cut_short, empty, require_few_columns, require_names, unreadable
from penstock.sources.unpacking import open_bytes

SUFFIXES = (".jsonl", ".ndjson")
MAX_DIGITS = 4000  # Python refuses to read whole numbers of many more
MAX_LINE = 1 << 26
RECORDS_NEEDED = 'write one record a line, such as {"age": 31, "plan": "pro"}'


def read_json_lines(path: Path, reading: Reading, scratch: Path | None = None, folders: Folders = None) -> Table:
    where = str(path)
    names: list[str] = []
    encoding = reading.encoding or "utf-8"
    zipped = "gzip" if path.name.lower().endswith(".gz") else None
    try:
        facts = {"format": "json lines", "encoding": encoding, "compression": zipped}
        table = spooled(names, _rows(path, names, where, encoding, folders), facts, scratch, where)
    except (OSError, EOFError, zlib.error) as error:
        raise cut_short(where, error) from None
    if not names:
        raise empty(where)
    require_names(names, where)
    return table


def _rows(path: Path, names: list[str], where: str, encoding: str, folders: Folders) -> Iterator[list[Any]]:
    """The values of each record in the order of `names`, which grow as new ones are met."""
    at: dict[str, int] = {}
    with open_bytes(path, folders) as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE + 1), b""), start=1):
            if len(line) > MAX_LINE:
                long = f"the line is longer than {MAX_LINE >> 20} MB"
                raise unreadable(f"{where}, line {number}", long, RECORDS_NEEDED)
            record = _record(line, f"{where}, line {number}", encoding)
            if record is None:
                continue
            for name in record:
                if name not in at:
                    at[name] = len(names)
                    names.append(name)
                    require_few_columns(len(names), f"{where}, line {number}")
            yield [record.get(name) for name in names]


def _record(line: bytes, where: str, encoding: str) -> dict[str, Any] | None:
    try:
        text = line.decode("utf-8-sig" if encoding == "utf-8" else encoding).strip()
        record = json.loads(text, **HOOKS) if text else None
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
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f"'{twice}' occurs twice")
    return record


def _constant(word: str) -> float | None:
    return None if word == "NaN" else float(word)


def _float(digits: str) -> float | str:
    """As it is written where it is too large for a number."""
    number = float(digits)
    return digits if math.isinf(number) else number


def _int(digits: str) -> int | str:
    return digits if len(digits) > MAX_DIGITS else int(digits)


HOOKS: dict[str, Any] = {
    "object_pairs_hook": _once,
    "parse_constant": _constant,
    "parse_float": _float,
    "parse_int": _int,
}
