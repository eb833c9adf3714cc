"""CSV and its kin, read in two passes of bounded memory: what each column is, then its values.

pandas reads the whole file at once, fills rows that are too short without a word, and loses the zeros of codes such as
00123. Arrow's parser reads part by part and counts values; here it gives texts, and columns are typed by all of theirs.
"""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from penstock.components.schema import MISSING_WORDS
from penstock.errors import DataError, examples
from penstock.sources.dialect import NAMES, TWO_LINES, Dialect, find_dialect, most_columns
from penstock.sources.encoding import find_encoding
from penstock.sources.files import Folders
from penstock.sources.kinds import Column, arrow_type, convert
from penstock.sources.number_format import Evidence, NumberFormat
from penstock.sources.options import Reading
from penstock.sources.table import (
    QUOTES_NEEDED,
    Table,
    cut_short,
    empty,
    named,
    require_few_columns,
    require_names,
    unreadable,
)
from penstock.sources.unclosed_quotes import UnclosedQuote, UnclosedQuotes, rows_within
from penstock.sources.unpacking import open_bytes

if TYPE_CHECKING:
    import pyarrow as pa

HEAD = 1 << 18
BLOCK = 1 << 20  # fits into the processor's cache: twice as quick as with larger ones
LARGE_BLOCK = 1 << 26  # for files with longer rows than that
SUFFIXES = (".csv", ".tsv", ".txt")
# A row of these is added: where it is not the last one, a quote was left open. Nothing in it can separate values.
LAST = "\x03endofthedata\x03"


def read_delimited(path: Path, reading: Reading, folders: Folders = None) -> Table:
    return DelimitedFile(path, reading, folders).table()


class DelimitedFile:
    def __init__(self, path: Path, reading: Reading, folders: Folders = None) -> None:
        self.path, self.where, self.reading, self.block = path, str(path), reading, BLOCK
        self.folders = folders
        try:
            with self._open() as file:
                self.encoding = find_encoding(file, self.where, reading.encoding)
            self.dialect = self._find_dialect()
        except (OSError, EOFError, zlib.error) as error:
            raise cut_short(self.where, error) from None
        first = self.dialect.first
        if self.dialect.header:
            require_names(first, self.where)
        self.names = named(first) if self.dialect.header else [f"column_{n}" for n in range(1, len(first) + 1)]

    def table(self) -> Table:
        import pyarrow as pa

        evidence = Evidence()
        asked = self.reading.decimal is None or self.reading.thousands is None
        marks = NumberFormat() if asked else NumberFormat(self.reading.decimal or ".", self.reading.thousands or "")
        unclosed = UnclosedQuotes(self.dialect.delimiter, len(self.names))
        # Where somebody has said what the quotes are, they are believed.
        watched = unclosed if self.dialect.quote and self.reading.quote is None else None
        columns, rows = self._survey(marks, evidence if asked else None, watched)
        decided = evidence.decide(self.reading, self.dialect.delimiter, self.where) if asked else marks
        if decided != marks:
            columns, rows = self._survey(decided, None, None)
        kinds = [column.final for column in columns]
        if one := unclosed.sure(kinds, decided, self._texts()):
            return self._without_quotes(one)
        schema = pa.schema([(name, arrow_type(kind)) for name, kind in zip(self.names, kinds, strict=True)])

        def batches() -> Iterator[pa.RecordBatch]:
            for batch in self._texts():
                arrays = [convert(texts, kind, decided) for texts, kind in zip(batch.columns, kinds, strict=True)]
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)

        return Table(schema, rows, batches, self._facts(decided))

    def _facts(self, marks: NumberFormat) -> dict[str, Any]:
        return {
            "format": "csv",
            "delimiter": self.dialect.delimiter,
            "separated_by": NAMES.get(self.dialect.delimiter, repr(self.dialect.delimiter)),
            "quote": self.dialect.quote or None,
            "decimal": marks.decimal,
            "thousands": marks.thousands or None,
            "encoding": self.encoding,
            "header": self.dialect.header,
            "compression": "gzip" if self.path.name.lower().endswith(".gz") else None,
        }

    def _open(self) -> IO[bytes]:
        return open_bytes(self.path, self.folders)

    def _find_dialect(self) -> Dialect:
        tabs = self.path.name.lower().removesuffix(".gz").endswith(".tsv")
        whole = False
        for head, whole in self._heads():
            if dialect := find_dialect(head, self.reading, self.where, whole=whole, tabs=tabs):
                return dialect
        if whole:
            raise empty(self.where)
        raise unreadable(f"{self.where}, header", f"the first row is longer than {LARGE_BLOCK >> 20} MB", QUOTES_NEEDED)

    def _heads(self) -> Iterator[tuple[str, bool]]:
        """The beginning of the text, ever more of it, and whether that is all; it holds two lines if it can."""
        decoder = codecs.getincrementaldecoder("utf-8-sig" if self.encoding == "utf-8" else self.encoding)()
        head, size, whole = "", HEAD, False
        with self._open() as file:
            while not whole and size <= LARGE_BLOCK:
                content = file.read(size)
                whole = len(content) < size
                head += decoder.decode(content, final=whole)
                size *= 2
                require_few_columns(most_columns(head, self.reading.delimiter), self.where)
                if whole or size > LARGE_BLOCK or TWO_LINES.search(head):
                    yield head, whole

    def _survey(
        self, marks: NumberFormat, evidence: Evidence | None, unclosed: UnclosedQuotes | None
    ) -> tuple[list[Column], int]:
        """The kind of each column with all its values seen; on the way, what they say about marks and quotes."""
        try:
            return self._survey_blocks(marks, evidence, unclosed)
        except _LongRowError:
            self.block = LARGE_BLOCK
            return self._survey_blocks(marks, evidence, unclosed)

    def _survey_blocks(
        self, marks: NumberFormat, evidence: Evidence | None, unclosed: UnclosedQuotes | None
    ) -> tuple[list[Column], int]:
        columns, rows = [Column() for _ in self.names], 0
        if unclosed:
            unclosed.found.clear()
        for batch in self._texts():
            for place, (name, column, texts) in enumerate(zip(self.names, columns, batch.columns, strict=True)):
                known = column.look(texts, marks)
                if unclosed and column.kind == "text":
                    unclosed.look(texts, place, rows)
                if evidence is None or column.kind == "whole":
                    continue
                known = texts.drop_null() if known is None else known
                if len(known):
                    evidence.look(name, known, numbers=column.kind in ("number", "overflow"))
            rows += batch.num_rows
        return columns, rows

    def _without_quotes(self, one: UnclosedQuote) -> Table:
        """Between tabs quotes are mostly ordinary characters: so they are where all rows are whole with it."""
        row = one.row + int(self.dialect.header)
        end = next(itertools.islice(self._lines(), row, None), 0)
        where = f"{self.where}, line {end - one.lines + 1}" if end else self.where
        swallowed = rows_within(one, self.names[one.column], where)
        if self.dialect.delimiter != "\t":
            raise swallowed
        quoted, self.dialect = self.dialect, replace(self.dialect, quote="")
        try:
            return self.table()
        except DataError:
            self.dialect = quoted
            raise swallowed from None

    def _texts(self) -> Iterator[pa.RecordBatch]:
        """The rows after the header, every value a text; words for missing values are missing."""
        import pyarrow as pa

        skip = int(self.dialect.header)
        waiting: pa.RecordBatch | None = None
        try:
            with self._open() as file:
                for batch in self._parse(file):
                    if waiting is not None and waiting.num_rows:
                        yield waiting
                    here = min(skip, batch.num_rows)
                    waiting, skip = batch.slice(here), skip - here
            # The last batch ends in the row that was added.
            last = waiting.slice(waiting.num_rows - 1) if waiting is not None and waiting.num_rows else None
            if waiting is None or last is None or any(column[0].as_py() != LAST for column in last.columns):
                raise unreadable(self.where, "a quote is opened and never closed", QUOTES_NEEDED)
            if waiting.num_rows > 1:
                yield waiting.slice(0, waiting.num_rows - 1)
        except pa.ArrowInvalid as error:
            if "straddl" in str(error) and self.block < LARGE_BLOCK:
                raise _LongRowError from None
            raise self._unparsable(str(error)) from None
        except (OSError, EOFError, zlib.error) as error:
            raise cut_short(self.where, error) from None

    def _parse(self, file: IO[bytes]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa
        from pyarrow import csv as arrow_csv

        keys = [str(position) for position in range(len(self.names))]
        delimiter, quote = self.dialect.delimiter, self.dialect.quote
        end = f"\n{delimiter.join([LAST] * len(keys))}\n"
        reader = arrow_csv.open_csv(
            pa.PythonFile(_Utf8(file, self.encoding, end), mode="r"),
            read_options=arrow_csv.ReadOptions(  # without threads it knows the number of a row that is wrong
                use_threads=False, block_size=self.block, column_names=keys
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=delimiter, quote_char=quote or False, newlines_in_values=bool(quote)
            ),
            convert_options=arrow_csv.ConvertOptions(
                check_utf8=False,
                column_types=dict.fromkeys(keys, pa.string()),
                null_values=sorted(MISSING_WORDS),
                strings_can_be_null=True,
            ),
        )
        yield from reader

    def _unparsable(self, message: str) -> DataError:
        uneven = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+): (.*)", message, re.DOTALL)
        if not uneven:
            long = "straddl" in message
            why = (
                f"a row is longer than {LARGE_BLOCK >> 20} MB, or a quote is opened and never closed"
                if long
                else message
            )
            return unreadable(self.where, why, QUOTES_NEEDED)
        row, expected, actual, text = uneven.groups()
        if LAST in text:
            return unreadable(self.where, "a quote is opened and never closed", QUOTES_NEEDED)
        line = next(itertools.islice(self._lines(), int(row) - 1, None), None)
        mark = NAMES.get(self.dialect.delimiter, repr(self.dialect.delimiter))
        remedy = QUOTES_NEEDED + f"; the values were taken to be separated by {mark}"
        if self.dialect.delimiter == "," and int(actual) > int(expected) and re.search(r"\d,\d", text):
            remedy += "; numbers with a decimal comma need another separator, such as semicolons"
        if int(actual) == int(expected) + 1 and text.rstrip().endswith(self.dialect.delimiter):
            remedy = (
                f"take away what separates values ({mark}) at the end of the rows, or add one at the end of the header"
            )
        elif int(row) == 2 and int(actual) > int(expected):
            first = examples([self.dialect.delimiter.join(self.dialect.first)])
            remedy = f"the first line, {first}, was taken for the header: delete the lines above the names; or {remedy}"
        return unreadable(
            f"{self.where}, line {line}" if line else self.where,
            f"a row has {actual} value(s), the header has {expected}: {examples([text])}",
            remedy,
        )

    def _lines(self) -> Iterator[int]:
        """The line on which each row ends; blank lines are no rows."""
        delimiter, quote = self.dialect.delimiter, self.dialect.quote
        encoding = "utf-8-sig" if self.encoding == "utf-8" else self.encoding
        with self._open() as file, io.TextIOWrapper(file, encoding=encoding, newline="") as text:
            reader = csv.reader(
                text,
                delimiter=delimiter,
                quotechar=quote or None,
                quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
            )
            try:
                for values in reader:
                    if values:
                        yield reader.line_num
            except csv.Error:
                return


class _LongRowError(Exception):
    """A row does not fit into the blocks in which the file is read."""


class _Utf8:
    """A file's text as UTF-8 bytes, with some text added at its end."""

    def __init__(self, file: IO[bytes], encoding: str, end: str) -> None:
        self.file, self.end = file, end.encode()
        self.decoder = None if encoding == "utf-8" else codecs.getincrementaldecoder(encoding)()
        self.closed = False

    def read(self, size: int = -1) -> bytes:
        content = self.file.read(size)
        while content and self.decoder:
            text = self.decoder.decode(content).encode("utf-8", "surrogatepass")
            if text:
                return text
            content = self.file.read(size)
        if content:
            return content
        rest = self.decoder.decode(b"", final=True).encode() if self.decoder else b""
        end, self.end = self.end, b""
        return rest + end

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def writable(self) -> bool:
        return False

    def tell(self) -> int:
        return self.file.tell()

    def close(self) -> None:
        self.closed = True
