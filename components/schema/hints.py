"""What the name of a column says beside its values: a row's number, a customer, a moment, a weight."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from penstock.components.schema.casting import numbers, texts
from penstock.components.schema.columns import Scale, Suggestion

FEW_ROWS = 20
FEW_CODES = 10
MIN_GROUPS = 20
MIN_ROWS_PER_GROUP = 1.05
MOSTLY = 0.9

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_IDS = frozenset({"id", "ids", "uuid", "guid", "key", "index", "idx", "rowid", "identifier"})
_NUMBERS = frozenset({"no", "nr", "num", "number"})
_NUMBERED = frozenset({"row", "record", "line", "case", "serial", "order", "invoice", "account", "customer", "patient"})
_UNITS = frozenset(
    {
        *("customer", "client", "patient", "subject", "user", "member", "student", "player", "person", "employee"),
        *("household", "family", "session", "account", "participant", "respondent", "device", "machine", "vehicle"),
    }
)
_MOMENTS = frozenset({"date", "time", "timestamp", "datetime", "ts", "day", "visit", "when"})
_OF_THE_ROW = frozenset(
    {
        *("snapshot", "event", "observation", "observed", "record", "recorded", "visit", "transaction", "order"),
        *("invoice", "measurement", "measured", "reading", "log", "created", "purchase", "sale"),
    }
)
_WEIGHTS = frozenset({"w", "wt", "wgt", "fnlwgt", "pweight"})
_WEIGHT_NAMES = frozenset({"weight", "weights", "wt", "wgt"})
_WEIGHING = frozenset({"sample", "survey", "case", "row", "instance", "sampling", "frequency", "design", "person"})
_CONVENTIONAL = {
    "year": "a year",
    "temperature": "a temperature",
    "temp": "a temperature",
    "latitude": "a coordinate",
    "lat": "a coordinate",
    "longitude": "a coordinate",
    "lon": "a coordinate",
    "lng": "a coordinate",
}

_TIME = r"(?:[T ,]+\d{1,2}[:.]\d{2}.*)?"
_DAY = (
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}",
    r"\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})",
    r"(?:\d{1,2}\.?[- ])?[^\W\d]{3,9}\.?[- ](?:\d{1,2}(?:st|nd|rd|th)?,?[- ])?\d{4}",
)
_DATES = f"(?:{'|'.join(_DAY)}){_TIME}"
_SIGN = "[+\u2212-]?"
_GAP = "[ '\u00a0\u2009\u2019\u202f]"
_DIGITS = rf"{_SIGN}\d(?:[\d.,]|{_GAP}(?=\d))*"
_OTHER_FORMS = {
    _DATES: "they look like dates, which are read in the form 2024-12-31 alone: write them so",
    rf"{_SIGN}[$€£¥]\s?{_DIGITS}|{_DIGITS}\s?(?:[%$€£¥]|[A-Z]{{3}})": (
        "they look like numbers with a unit beside them: leave it away, and they are read as numbers"
    ),
}
_GROUPED = rf"(?:\d{{1,3}}(?:{_GAP}\d{{3}})+|\d+)(?:[.,]\d+)*"
_OTHER_NUMBERS = rf"{_SIGN}{_GROUPED}|\({_GROUPED}\)"
_ODD_MARKS = rf"[(,\u2212]|{_GAP}"


def words_of(name: object) -> list[str]:
    """`customerID`, `customer_id` and `Customer Id` are all customer and id."""
    return [word.lower() for word in _WORDS.findall(str(name))]


def names_an_identifier(name: object) -> bool:
    if _nameless(name):
        return True
    words = words_of(name) or [""]
    numbered = words[-1] in _NUMBERS and bool(_NUMBERED & set(words))
    return words[-1] in _IDS or words[0] in {"rownames", "rowname"} or numbered


def _nameless(name: object) -> bool:
    return str(name).startswith("Unnamed: ") or not any(mark.isalnum() for mark in str(name))


def counts_rows(values: pd.Series[Any]) -> bool:
    """Whether numbers run through the rows without a gap."""
    return bool(len(values) > FEW_ROWS and values.is_unique and values.max() - values.min() + 1 == len(values))


def suggestion_of(values: pd.Series[Any], role: str) -> tuple[Suggestion, str] | None:
    """What the column looks like, and why; it is for people to say whether it is."""
    words = words_of(values.name)
    if not words or _nameless(values.name):
        return None
    if role == "date" and values.notna().mean() > 0.99:
        if words[-1] == "at" or (len(words) == 1 and words[0] in _MOMENTS) or words[0] in _OF_THE_ROW:
            return "time", "by its name it may be the moment of each row"
        return None
    if role == "numeric" and (set(words) <= _WEIGHTS or (words[-1] in _WEIGHT_NAMES and _WEIGHING & set(words))):
        read = numbers(values)
        return ("weight", "by its name it may weigh the rows") if bool((read >= 0).all()) else None
    if role in ("nominal", "numeric", "ignore") and (names_an_identifier(values.name) or set(words) <= _UNITS):
        return _group(values)
    return None


def scale_of(known: pd.Series[Any]) -> tuple[Scale, str]:
    """Ratio where zero can mean none, so that one value is so many times another; interval where it cannot."""
    for word in words_of(known.name):
        if word in _CONVENTIONAL:
            return "interval", f"numbers; by its name {_CONVENTIONAL[word]}, whose zero is a convention: interval scale"
    if (known < 0).any():
        return "interval", "numbers, some below zero: interval scale"
    whole = bool((known % 1 == 0).all())
    if whole and known.between(1700, 2100).all():
        return "interval", "whole numbers such as years, whose zero is a convention: interval scale"
    reason = "numbers, none below zero: ratio scale"
    few = known.nunique()
    if whole and few <= FEW_CODES:
        reason += f"; only {few} different whole ones: if they are codes, declare nominal or ordinal"
    return "ratio", reason


def written_otherwise(words: pd.Series[Any], counts: pd.Series[Any]) -> str:
    """What a column of texts would be, if its dates or numbers were written in the form that is read; or nothing."""
    for pattern, advice in _OTHER_FORMS.items():
        if _mostly(pattern, words, counts):
            return advice
    if words.str.contains(_ODD_MARKS).any() and _mostly(_OTHER_NUMBERS, words, counts):
        return (
            "they look like numbers in another form: write all of them like -1234.5, without brackets or marks between "
            "the thousands, and they are read as numbers"
        )
    return ""


def look_like_dates(words: pd.Series[Any], counts: pd.Series[Any]) -> bool:
    return _mostly(_DATES, words, counts)


def _mostly(pattern: str, words: pd.Series[Any], counts: pd.Series[Any]) -> bool:
    return float(counts[words.str.fullmatch(pattern)].sum()) >= MOSTLY * float(counts.sum())


def _group(values: pd.Series[Any]) -> tuple[Suggestion, str] | None:
    words = texts(values).dropna()
    if pd.api.types.is_float_dtype(values.dtype) and words.str.contains(".", regex=False).any():
        return None
    distinct = words.nunique()
    codes = words.str.contains(r"\d").mean() > 0.9 if len(words) else False
    if not codes or distinct < MIN_GROUPS or len(words) < MIN_ROWS_PER_GROUP * distinct:
        return None
    return "group", f"{len(words) / distinct:.1f} rows for each of {distinct} values: rows that may belong together"
