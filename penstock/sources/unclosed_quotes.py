"""Rows that a quote has swallowed: opened in one row and closed in a later one, it makes one value of both.

A text may well run over lines and hold separators. A swallowed row is told by its shape: as many separators on each
line as a row has, and between them values like those of the columns that they would stand in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from penstock.components.schema import MISSING_WORDS
from penstock.errors import DataError, examples
from penstock.sources.kinds import FALSE, TRUE, Kind, read_numbers
from penstock.sources.number_format import NumberFormat
from penstock.sources.options import how_to_say

if TYPE_CHECKING:
    import pyarrow as pa

MAX_UNCLOSED = 20
MAX_FIELDS = 1000


@dataclass(frozen=True)
class UnclosedQuote:
    """A value over several lines; `fields`: what would be the values of other columns, each with its column."""

    row: int
    column: int
    value: str
    lines: int
    fields: list[tuple[int, str]]


@dataclass
class UnclosedQuotes:
    delimiter: str
    width: int
    found: list[UnclosedQuote] = field(default_factory=list)

    def look(self, texts: pa.Array, column: int, row: int) -> None:
        """Take in texts of one column; `row` is the first one's."""
        import pyarrow.compute as pc

        if self.width < 2 or len(self.found) >= MAX_UNCLOSED:
            return
        breaks = pc.count_substring(texts, "\n")
        if not pc.max(breaks).as_py():
            return
        separators = pc.count_substring(texts, self.delimiter)
        whole_rows = pc.equal(separators, pc.multiply(breaks, self.width - 1))
        for place in pc.indices_nonzero(pc.and_(pc.greater(breaks, 0), whole_rows)).to_pylist():
            value = texts[place].as_py()
            fields = self._fields(value, column)
            if fields and len(self.found) < MAX_UNCLOSED:
                self.found.append(UnclosedQuote(row + place, column, value[:100], value.count("\n") + 1, fields))

    def _fields(self, value: str, column: int) -> list[tuple[int, str]]:
        """Nothing where the lines are no rows: the first goes on to the last column, the last begins with the first."""
        lines = [line.removesuffix("\r").split(self.delimiter) for line in value.split("\n")]
        first, *inner, last = lines
        if len(first) != self.width - column or len(last) != column + 1 or any(len(one) != self.width for one in inner):
            return []
        if self.delimiter != "\t" and any(text[:1] == " " for line in lines for text in line[1:]):
            return []  # as people write, not as tables are written
        fields = list(enumerate(first[1:], start=column + 1)) + list(enumerate(last[:-1]))
        fields += [one for line in inner for one in enumerate(line) if one[0] != column]
        return fields[:MAX_FIELDS]

    def sure(
        self, kinds: Sequence[Kind], marks: NumberFormat, batches: Iterable[pa.RecordBatch]
    ) -> UnclosedQuote | None:
        """The first one whose fields are like the values of their columns. `batches`: the texts of all rows."""
        self.found = [one for one in self.found if all(_fits(text, kinds[at], marks) for at, text in one.fields)]
        wanted = {(at, _form(text)) for one in self.found for at, text in one.fields if kinds[at] == "text"}
        for batch in batches if wanted else ():
            wanted -= _seen(wanted, batch)
            if not wanted:
                break
        return next((one for one in self.found if not wanted & {(at, _form(text)) for at, text in one.fields}), None)


def rows_within(suspect: UnclosedQuote, name: str, where: str) -> DataError:
    return DataError(
        "PEN146",
        f"a quoted value of column '{name}' runs over {suspect.lines} lines that look like rows, as where a quote is "
        f"opened and not closed: {examples([suspect.value])}",
        where=where,
        remedy="correct the quotes there; if quotes are ordinary characters in this file, say "
        f"{how_to_say('quote', '')}; if it is one value, say {how_to_say('quote', chr(34))}",
    )


def _seen(wanted: set[tuple[int, str]], batch: pa.RecordBatch) -> set[tuple[int, str]]:
    import pyarrow as pa
    import pyarrow.compute as pc

    seen = set()
    for at in {at for at, _ in wanted}:
        forms = pc.replace_substring_regex(pc.unique(batch.column(at)), r"\d+", "0")
        here = pa.array([form for column, form in wanted if column == at], forms.type)
        seen |= {(at, form) for form in here.filter(pc.is_in(here, forms)).to_pylist()}
    return seen


def _form(text: str) -> str:
    """Codes and days that differ in digits alone have one form."""
    return re.sub(r"[0-9]+", "0", text)


def _fits(text: str, kind: Kind, marks: NumberFormat) -> bool:
    import pyarrow as pa

    if text in MISSING_WORDS or kind == "text":
        return True
    if kind == "truth":
        return text in TRUE + FALSE
    return read_numbers(pa.array([text]), marks, pa.float64()) is not None
