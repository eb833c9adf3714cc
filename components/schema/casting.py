"""Values in the canonical form of their column's role, at every reading the same."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api import types

from penstock.components.schema.columns import ROW_ID, Column, Schema, place, require_columns
from penstock.errors import DataError, examples

MISSING_WORDS = frozenset({"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "null", "NULL", "None"})
TRUE_WORDS = frozenset({"true", "yes", "y", "t", "1"})
FALSE_WORDS = frozenset({"false", "no", "n", "f", "0"})
LARGEST = float(np.finfo(np.float32).max)  # scikit-learn's trees compute with numbers of this size
INFINITE_WORDS = frozenset({"inf", "infinity"})
QUANTITIES = ("numeric", "weight")
NEEDED_FOR_LEARNING = ("target", "key", "group", "time", "weight")


def conform(frame: pd.DataFrame, schema: Schema, *, strict: bool) -> pd.DataFrame:
    """The schema's columns in the canonical dtype of their role.

    Strict (at ingest): target, key, group, time and weight must be there, and a numeric value that cannot be read, is
    infinite or too large to compute with, is an error. Otherwise (at scoring) only features must be there, and such a
    value becomes missing. Further columns are left out.
    """
    needed = {column.name for column in schema.features}
    if strict:
        needed |= {column.name for column in schema.columns if column.role in NEEDED_FOR_LEARNING}
    names = [column.name for column in schema.columns if column.name in needed]
    require_columns(frame, names, target=schema.target)
    cast_columns: dict[str, pd.Series[Any]] = {}
    if ROW_ID in frame.columns:
        cast_columns[ROW_ID] = frame[ROW_ID].astype("str")
    for column in schema.columns:
        if column.name not in frame.columns:
            continue
        values = frame[column.name]
        quantity = column.role in QUANTITIES or column.name == schema.quantity
        if not quantity:
            cast_columns[column.name] = cast(values, column)
            continue
        if strict:
            require_numbers(values)
            require_finite(values)
        read = numbers(values)
        beyond = beyond_numbers(read)
        cast_columns[column.name] = read.mask(beyond) if beyond.any() else read
    return pd.DataFrame(cast_columns, index=frame.index)


def cast(values: pd.Series[Any], column: Column) -> pd.Series[Any]:
    """Values in the canonical dtype of the column's role; what cannot be read becomes missing."""
    if column.role in QUANTITIES:
        return numbers(values)
    if column.role == "boolean":
        return _booleans(values, column.levels)
    if column.role in ("date", "time"):
        return dates(values)
    if column.role == "ordinal":
        words = texts(values)
        return words.where(words.isin(column.levels or []))
    return texts(values)


def texts(values: pd.Series[Any]) -> pd.Series[Any]:
    """One text per value: 3.0 and 3 are both '3', spaces around are dropped, and words such as 'NA' are missing."""
    if not isinstance(values.dtype, pd.StringDtype):
        values = _as_text(values)
    words = values.astype("str")
    codes, distinct = pd.factorize(words)  # many rows have few words, and most need no change
    cleaned = distinct.str.strip()
    cleaned = cleaned.where(~cleaned.isin(MISSING_WORDS))
    if cleaned.equals(distinct):
        return words
    return pd.Series(cleaned.array.take(codes, allow_fill=True), index=values.index, name=values.name, dtype="str")


def shared_words(frame: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """The same frame, with each word of the named text columns once in memory.

    Encoders look words up one by one as Python objects: made anew for every row, they take twice the time.
    """
    kind = pd.StringDtype(storage="python", na_value=np.nan)
    shared = {}
    for name in names:
        codes, distinct = pd.factorize(frame[name])
        words = np.append(np.asarray(distinct, dtype=object), np.nan)
        shared[name] = pd.Series(pd.array(words[codes], dtype=kind), index=frame.index)
    return frame.assign(**shared)


def numbers(values: pd.Series[Any]) -> pd.Series[Any]:
    if types.is_numeric_dtype(values.dtype) or types.is_bool_dtype(values.dtype):
        return pd.Series(values.to_numpy(dtype="float64", na_value=np.nan), index=values.index, name=values.name)
    read: pd.Series[Any] = pd.to_numeric(texts(values), errors="coerce").astype("float64")
    return read


def dates(values: pd.Series[Any]) -> pd.Series[Any]:
    """ISO 8601 texts and points in time, in UTC without saying so; what cannot be read becomes missing."""
    if not types.is_datetime64_any_dtype(values.dtype):
        # Nanoseconds in one row would narrow the range of years that all rows can hold.
        words = texts(values).str.replace(r"(\.\d{6})\d+", r"\1", regex=True)
        values = pd.to_datetime(words, format="ISO8601", errors="coerce", utc=True)
    elif isinstance(values.dtype, pd.DatetimeTZDtype):
        values = values.dt.tz_convert("UTC")
    naive: pd.Series[Any] = values.dt.tz_localize(None).dt.as_unit("us")
    return naive


def require_numbers(values: pd.Series[Any]) -> None:
    if types.is_numeric_dtype(values.dtype):
        return
    unread = values[numbers(values).isna() & values.notna()]
    strangers = texts(unread).dropna()
    if len(strangers):
        raise DataError(
            "PEN112",
            f"column '{values.name}' has mixed types: {len(strangers)} of {values.notna().sum()} values are no numbers"
            f": {examples(strangers.unique().tolist())}",
            where=place(values),
            remedy=f"correct these values (leave unknown ones empty), or declare `columns: {{{values.name}: nominal}}`",
        )


def require_finite(values: pd.Series[Any]) -> None:
    beyond = beyond_numbers(numbers(values))
    if beyond.any():
        received = values[beyond].unique().tolist()
        infinite = texts(values[beyond]).str.lower().str.lstrip("+-").isin(INFINITE_WORDS).all()
        kind = "infinite value(s)" if infinite else f"value(s) beyond {LARGEST:.1e}, the largest that models can take"
        raise DataError(
            "PEN113",
            f"column '{values.name}' holds {beyond.sum()} {kind}: {examples(received)}",
            where=f"{place(values)}, row {examples((np.flatnonzero(beyond) + 1).tolist())}",
            remedy="correct them, or leave them empty where the value is unknown",
        )


def beyond_numbers(read: pd.Series[Any]) -> NDArray[np.bool_]:
    """Which are infinite, or larger than the largest that models can take."""
    beyond: NDArray[np.bool_] = np.abs(read.to_numpy()) > LARGEST
    return beyond


def text_of(value: Hashable) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _as_text(values: pd.Series[Any]) -> pd.Series[Any]:
    try:
        codes, distinct = pd.factorize(values)
    except TypeError:  # lists and other values that cannot be hashed
        return values.map(str, na_action="ignore").astype("str")
    words = np.array([text_of(value) for value in distinct] + [None], dtype=object)
    return pd.Series(words[codes], index=values.index, name=values.name, dtype="str")


def _booleans(values: pd.Series[Any], levels: list[str] | None) -> pd.Series[Any]:
    """0.0 and 1.0; the usual words are always read, so that casting twice is casting once."""
    truth = {word: 1.0 for word in TRUE_WORDS} | {word: 0.0 for word in FALSE_WORDS}
    if levels is not None:
        truth |= {levels[0].lower(): 0.0, levels[1].lower(): 1.0}
    return texts(values).str.lower().map(truth).astype("float64")
