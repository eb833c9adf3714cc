"""How the values of a text file are separated: found out from its first rows, or asked for."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass

from penstock.errors import DataError, examples
from penstock.sources.options import Reading, how_to_say
from penstock.sources.table import QUOTES_NEEDED, unreadable

DELIMITERS = (",", ";", "\t", "|")
NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
MAX_ROWS = 1000
TWO_LINES = re.compile(r"[^\r\n][\r\n]+[^\r\n]+[\r\n]")
_QUOTED_LINE = re.compile(r'(?:"(?:[^"]|"")*"|[^"\t][^\t]*|)(?:\t(?:"(?:[^"]|"")*"|[^"\t][^\t]*|))*')
_NUMBER = re.compile(r"\s*[+-]?[\d.,]*\d[\d.,]*(?:[eE][+-]?\d+)?\s*")


@dataclass(frozen=True)
class Dialect:
    """`first`: the values of the first row; `header`: whether they are names."""

    delimiter: str
    quote: str
    header: bool
    first: list[str]


def find_dialect(head: str, reading: Reading, where: str, *, whole: bool, tabs: bool) -> Dialect | None:
    """`head`: the beginning of the text, or the `whole` of it; None where that holds no complete row."""
    delimiter = reading.delimiter or ("\t" if tabs else _delimiter(head, reading.quote, where, whole))
    if delimiter is None:
        return None
    quote = reading.quote if reading.quote is not None else _quote(head, delimiter, whole)
    try:
        rows = _rows(head, delimiter, quote, whole)
    except csv.Error:
        raise unreadable(
            f"{where}, header",
            f"a value in the first row is longer than {csv.field_size_limit():,} characters, and no name of a column",
            QUOTES_NEEDED,
        ) from None
    if not rows:
        return None
    header = reading.header if reading.header is not None else _header(rows, where)
    return Dialect(delimiter, quote, header, rows[0])


def most_columns(head: str, delimiter: str | None) -> int:
    """How many columns the first line can have at most."""
    line = re.split(r"[\r\n]", head.lstrip("\r\n"), maxsplit=1)[0]
    return 1 + max(line.count(mark) for mark in ((delimiter,) if delimiter else DELIMITERS))


def _rows(head: str, delimiter: str, quote: str, whole: bool) -> list[list[str]]:
    """The first rows; the last one is left out where the text goes on, as it may be cut.

    Raises csv.Error where the first one holds a value beyond the parser's limit.
    """
    rows: list[list[str]] = []
    text = io.StringIO(head, newline="")
    reader = (
        csv.reader(text, delimiter=delimiter, quotechar=quote)
        if quote
        else csv.reader(text, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    )
    try:
        for row in reader:
            if row:
                rows.append(row)
            if len(rows) > MAX_ROWS:
                return rows[:-1]
    except csv.Error:  # a value beyond the parser's limit: what stands before it must do
        if not rows:
            raise
        return rows
    return rows if whole else rows[:-1]


def _delimiter(head: str, quote: str | None, where: str, whole: bool) -> str | None:
    """The only mark that parts the header and every row alike; if none does, the one that parts most rows.

    None where by one of them no row is complete yet.
    """
    shares: dict[str, float] = {}
    for mark in DELIMITERS:
        try:
            rows = _rows(head, mark, _quote(head, mark, whole) if quote is None else quote, whole)
        except csv.Error:
            continue
        if not rows and not whole:
            return None
        if rows and len(rows[0]) > 1:
            shares[mark] = sum(len(row) == len(rows[0]) for row in rows) / len(rows)
    if not shares:
        return ","
    best = max(shares.values())
    fitting = [mark for mark, share in shares.items() if share == best]
    if len(fitting) == 1 and (best > 0.5 or len(shares) == 1):
        return fitting[0]
    likely = fitting if len(fitting) > 1 else list(shares)
    raise DataError(
        "PEN131",
        f"the values may be separated by {' or by '.join(NAMES[mark] for mark in likely)}: the first rows can be read "
        "either way",
        where=where,
        remedy=f"say which: {how_to_say('delimiter', _written(likely[0]))}",
    )


def _quote(head: str, delimiter: str, whole: bool) -> str:
    """In files separated by tabs a lone quote is common, and would swallow the rows after it."""
    if delimiter != "\t":
        return '"'
    lines = head.splitlines()
    quoted = [line for line in (lines if whole else lines[:-1]) if re.search(r'(?:^|\t)"', line)]
    return '"' if quoted and all(_QUOTED_LINE.fullmatch(line) for line in quoted) else ""


def _header(rows: list[list[str]], where: str) -> bool:
    """Names, unless each of them is a number: then they may be values, except where they only count the columns."""
    first = rows[0]
    if not all(_NUMBER.fullmatch(value) for value in first):
        return True
    if first in ([str(number) for number in range(start, start + len(first))] for start in (0, 1)) and len(first) > 2:
        return True
    raise DataError(
        "PEN141",
        f"the first row holds numbers: {examples(first)}; they can be names of columns or values",
        where=where,
        remedy="if they are values, say `data: {reading: {header: false}}` in the pipeline file, or `--reading "
        "header=false` to `init` and `score`; `true` if they are names",
    )


def _written(mark: str) -> str:
    return "\\t" if mark == "\t" else mark
