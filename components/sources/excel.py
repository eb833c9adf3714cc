"""Excel: one sheet of a workbook, whose first row that is not blank holds the names."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import chain
from pathlib import Path
from typing import Any

from penstock.components.sources.options import Reading, how_to_say
from penstock.components.sources.spool import spooled
from penstock.components.sources.table import FILE_NEEDED, Table, empty, named, require_names, unreadable
from penstock.errors import DataError, UsageError, did_you_mean, examples

SUFFIXES = (".xlsx", ".xlsm")
OLD_FORMAT = b"\xd0\xcf\x11\xe0"
Row = tuple[Any, ...]


def read_excel(path: Path, reading: Reading, scratch: Path | None = None) -> Table:
    import openpyxl

    where = str(path)
    with path.open("rb") as file:
        if file.read(len(OLD_FORMAT)) == OLD_FORMAT:
            raise unreadable(
                where,
                "the workbook is protected by a password, or is in the format of old versions",
                "open it in a spreadsheet program and save it as .xlsx, without a password",
            )
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except (OSError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise unreadable(where, f"this is not an Excel file: {error}", FILE_NEEDED) from None
    with ExitStack() as closed:
        closed.callback(book.close)
        sheet = _sheet(book, reading.sheet, where)
        place = f"{where}, sheet '{sheet.title}'"
        source = closed.enter_context(closing(sheet.iter_rows(values_only=True)))
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
        )
        _require_calculated(table, path, sheet.title, place)
        return table


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
    with closing(sheet.iter_rows(values_only=True)) as rows:
        return any(not _blank(value) for row in rows for value in row)


def _require_calculated(table: Table, path: Path, title: str, where: str) -> None:
    """A formula that no program has calculated yet has no value, and would be read as missing."""
    import openpyxl

    bare = set(table.schema.names)
    for batch in table.batches():
        bare -= {name for name in bare if batch.column(name).null_count < batch.num_rows}
        if not bare:
            return
    book = openpyxl.load_workbook(path, read_only=True)
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
