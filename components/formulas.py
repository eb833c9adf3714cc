"""Texts that a spreadsheet would run as formulas, with an apostrophe before them, as OWASP advises.

A spreadsheet may part lines at another mark than the file was written with, and so begin a cell within a value:
apostrophes stand there too. One is put before those that are there already, so that it can be taken away again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from penstock.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Formulas = Literal["escape", "keep"]

MARKS = r"[=+\-@\x{ff1d}\x{ff0b}\x{ff0d}\x{ff20}]"
BLANKS = r"[\s\x00\x0b\x{a0}\x{3000}\x{feff}]*"
BEGINNING = rf"^('*(?:[\t\r\n]|{BLANKS}{MARKS}))"
WITHIN = rf"([;\t\r\n])('*{MARKS})"
NUMBER = r"^[+-]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,3})?$"


def formulas_named(word: str) -> Formulas:
    for known in get_args(Formulas):
        if word == known:
            return known  # type: ignore[no-any-return]
    raise UsageError(
        "PEN167",
        f"'{word}' is no policy for formulas",
        where="--formulas",
        remedy=did_you_mean(word, get_args(Formulas)),
    )


def escaped(part: pa.Table) -> pa.Table:
    """The same rows; numbers that are kept as texts stay as they are."""
    for at, field in enumerate(part.schema):
        texts = _texts(part.column(at))
        if texts is not None:
            part = part.set_column(at, field.name, _escaped(texts))
    return part


def escaped_names(names: list[str]) -> list[str]:
    import pyarrow as pa

    found: list[str] = _escaped(pa.chunked_array([pa.array(names, pa.string())])).to_pylist()
    return found


def unescaped(frame: pd.DataFrame) -> pd.DataFrame:
    """As it was before it was written to a file with escaped texts."""
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc

    def bare(values: pa.Array) -> pa.Array:
        values = pc.replace_substring_regex(values, rf"([;\t\r\n])'('*{MARKS})", r"\1\2")
        return pc.replace_substring_regex(values, BEGINNING.replace("^(", "^'(", 1), r"\1")

    names = bare(pa.array([str(name) for name in frame.columns], pa.string())).to_pylist()
    columns = [
        pd.Series(bare(pa.array(values, pa.large_string())).to_pandas(), index=frame.index, dtype=values.dtype)
        if isinstance(values.dtype, pd.StringDtype)
        else values
        for _, values in frame.items()
    ]
    return pd.concat(columns, axis=1, keys=names) if columns else frame


def _texts(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    from pyarrow import types

    kind = column.type
    if types.is_dictionary(kind):
        kind, column = kind.value_type, column.cast(kind.value_type)
    return column if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind) else None


def _escaped(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = texts.cast(pa.large_string())
    if not pc.any(pc.match_substring_regex(texts, f"{BEGINNING}|{WITHIN}")).as_py():
        return texts
    # What follows the beginning is changed second, and so put back first: else the beginning would not be known again.
    changed = pc.replace_substring_regex(pc.replace_substring_regex(texts, BEGINNING, r"'\1"), WITHIN, r"\1'\2")
    return pc.if_else(pc.match_substring_regex(texts, NUMBER), texts, changed)
