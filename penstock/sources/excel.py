"""Excel: one sheet of a workbook, whose first row that is not blank holds the names."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, Any

from penstock.errors import DataError, PenstockError, UsageError, did_you_mean, examples, shorten
from penstock.sources.files import Folders, open_file
from penstock.sources.options import Reading, how_to_say
from penstock.sources.spool import spooled
from penstock.sources.table import FILE_NEEDED, Table, empty, named, require_names, unreadable
from penstock.sources.unpacking import require_small_workbook

SUFFIXES = (".xlsx", ".xlsm")
MAX_ROWS = 1 << 20  # of the format
OLD_FORMAT = b"\xd0\xcf\x11\xe0"
Row = tuple[Any, ...]


def read_excel(path: Path, reading: Reading, scratch: Path | None = None, folders: Folders = None) -> Table:
    with open_file(path, folders) as file:
        return _read(file, str(path), reading, scratch)


def _read(file: IO[bytes], where: str, reading: Reading, scratch: Path | None) -> Table:
    import openpyxl

    if file.read(len(OLD_FORMAT)) == OLD_FORMAT:
        raise unreadable(
            where,
            "the workbook is protected by a password, or is in the format of old versions",
            "open it in a spreadsheet program and save it as .xlsx, without a password",
        )
    with _damage_told(where):
        require_small_workbook(file, where)
        book = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
    with ExitStack() as closed:
        closed.callback(book.close)
        sheet = _sheet(book, reading.sheet, where)
        place = f"{where}, sheet '{sheet.title}'"
        source = closed.enter_context(closing(_rows(sheet, place)))
        rows = (row for row in source if any(not _blank(value) for value in row))
        first = next(rows, None)
        if first is None:
            raise empty(place)
        header = reading.header is not False
        width = max(at for at, value in enumerate(first, start=1) if not _blank(value))
        names = [_name(value) for value in first[:width]] if header else [f"column_{n}" for n in range(1, width + 1)]
        require_names(names, place)
        table = spooled(
            named(names),
            _within(rows if header else chain([first], rows), width, place),
            {"format": "excel", "sheet": sheet.title, "header": header},
            scratch,
            place,
        )
        with _damage_told(where):
            _require_calculated(table, file, sheet.title, place)
        return table


@contextmanager
def _damage_told(where: str) -> Iterator[None]:
    """What a damaged workbook makes its reader stumble over cannot be foretold more narrowly."""
    try:
        yield
    except PenstockError:
        raise
    except Exception as error:
        raise unreadable(where, f"this is not an Excel file: {shorten(str(error), 200)}", FILE_NEEDED) from error


def _rows(sheet: Any, where: str) -> Generator[Row]:
    """Those that the sheet holds, and one for each number that it leaves out, which may be any."""
    with _damage_told(where), closing(sheet.iter_rows(values_only=True)) as rows:
        for number, row in enumerate(rows, start=1):
            if number > MAX_ROWS:
                raise unreadable(where, f"the sheet has more than {MAX_ROWS:,} rows", FILE_NEEDED)
            yield row


def _within(rows: Iterator[Row], width: int, where: str) -> Iterator[Row]:
    """Rows as wide as the header; a value that stands beyond it belongs to no column."""
    for number, row in enumerate(rows, start=2):
        beyond = [value for value in row[width:] if not _blank(value)]
        if beyond:
            raise unreadable(
                f"{where}, row {number} with values",
                f"values stand beyond the last name of the header: {examples(beyond)}",
                "give each column a name in the first row, and keep notes in another sheet",
            )
        yield row[:width]


def _sheet(book: Any, wanted: str | int | None, where: str) -> Any:
    titles = [sheet.title for sheet in book.worksheets]
    if isinstance(wanted, int) and 1 <= wanted <= len(titles):
        return book.worksheets[wanted - 1]
    if wanted in titles:
        return book[wanted]
    if wanted is not None:
        raise UsageError(
            "PEN139",
            f"the workbook has no sheet {wanted!r}",
            where=where,
            remedy=did_you_mean(str(wanted), titles),
        )
    filled = [sheet for sheet in book.worksheets if _has_values(sheet)]
    if len(filled) > 1:
        raise DataError(
            "PEN139",
            f"{len(filled)} sheets hold values: {examples(sheet.title for sheet in filled)}",
            where=where,
            remedy=f"say which one: {how_to_say('sheet', filled[0].title)}",
        )
    if not filled:
        raise empty(where)
    return filled[0]


def _has_values(sheet: Any) -> bool:
    with closing(_rows(sheet, sheet.title)) as rows:
        return any(not _blank(value) for row in rows for value in row)


def _require_calculated(table: Table, file: IO[bytes], title: str, where: str) -> None:
    """A formula that no program has calculated yet has no value, and would be read as missing."""
    import openpyxl

    bare = set(table.schema.names)
    for batch in table.batches():
        bare -= {name for name in bare if batch.column(name).null_count < batch.num_rows}
        if not bare:
            return
    book = openpyxl.load_workbook(file, read_only=True, keep_links=False)
    try:
        places = [place for place, name in enumerate(table.schema.names) if name in bare]
        formula = any(
            row[place].data_type == "f"
            for row in book[title].iter_rows()
            for place in places
            if place < len(row) and row[place].value is not None
        )
    finally:
        book.close()
    if formula:
        raise DataError(
            "PEN139",
            f"formulas that were never calculated stand in {examples(sorted(bare))}",
            where=where,
            remedy="open the file in a spreadsheet program and save it, so that it holds their values",
        )


def _blank(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _name(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else str(value).strip()
