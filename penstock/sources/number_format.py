"""Decimal marks and marks of thousands: found out from the values of all columns, or asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from penstock.errors import DataError
from penstock.sources.options import Reading, how_to_say

if TYPE_CHECKING:
    import pyarrow as pa

NUMBER_LIKE_SHARE = 0.9
MINUS = "\u2212"
SIGN = f"[+{MINUS}-]?"
SPACES, APOSTROPHES = "[ \u00a0\u2009\u202f]", "['\u2019]"


@dataclass(frozen=True)
class NumberFormat:
    decimal: str = "."
    thousands: str = ""

    @property
    def plain(self) -> bool:
        return self == NumberFormat()

    @property
    def pattern(self) -> str:
        """What a number looks like; groups of digits other than of three are no thousands."""
        decimal = re.escape(self.decimal)
        groups = rf"\d{{1,3}}(?:{self._group}\d{{3}})+|" if self.thousands else ""
        return rf"^{SIGN}(?:(?:{groups}\d+)(?:{decimal}\d*)?|{decimal}\d+)(?:[eE]{SIGN}\d+)?$"

    @property
    def _group(self) -> str:
        alike = (group for group in (SPACES, APOSTROPHES) if re.fullmatch(group, self.thousands))
        return next(alike, re.escape(self.thousands))

    def to_plain(self, texts: pa.Array) -> pa.Array:
        """Texts that match the pattern, as numbers are written for machines."""
        import pyarrow.compute as pc

        texts = pc.replace_substring(texts, MINUS, "-")
        if self.thousands:
            texts = pc.replace_substring_regex(texts, self._group, "")
        return texts if self.decimal == "." else pc.replace_substring(texts, self.decimal, ".")


def _forms(decimal: str, other: str, name: str, others: str) -> dict[str, str]:
    """Patterns by what a text that matches surely is, or by what it can be."""
    mark, group = re.escape(decimal), re.escape(other)
    fraction = rf"0*{mark}\d+|\d{{4,}}{mark}\d+|0\d*{mark}\d+|\d+{mark}(?:\d{{1,2}}|\d{{4,}})"
    return {
        f"decimal {name}": rf"^{SIGN}(?:(?:{fraction})(?:[eE]{SIGN}\d+)?|\d+{mark}\d+[eE]{SIGN}\d+)$",
        f"decimal {name}, {others} for thousands": rf"^{SIGN}\d{{1,3}}(?:{group}\d{{3}})+{mark}\d+$",
        f"decimal {name}, spaces for thousands": rf"^{SIGN}[1-9]\d{{0,2}}(?:{SPACES}\d{{3}})+{mark}\d+$",
        f"decimal {name}, apostrophes for thousands": rf"^{SIGN}[1-9]\d{{0,2}}(?:{APOSTROPHES}\d{{3}})+{mark}\d+$",
        f"{name}s for thousands": rf"^{SIGN}\d{{1,3}}(?:{mark}\d{{3}}){{2,}}$",
        f"either {name}": rf"^{SIGN}[1-9]\d{{0,2}}{mark}\d{{3}}$",
    }


POINT, COMMA = _forms(".", ",", "point", "commas"), _forms(",", ".", "comma", "points")
FORMS = {
    **POINT,
    **COMMA,
    "spaces for thousands": rf"^{SIGN}[1-9]\d{{0,2}}(?:{SPACES}\d{{3}})+$",
    "apostrophes for thousands": rf"^{SIGN}[1-9]\d{{0,2}}(?:{APOSTROPHES}\d{{3}})+$",
    "whole": rf"^{SIGN}\d+$",
}
SAYS_POINT = (*(form for form in POINT if form.startswith("decimal")), "commas for thousands")
SAYS_COMMA = (*(form for form in COMMA if form.startswith("decimal")), "points for thousands")
GROUPED = {
    ".": {
        ",": ("decimal point, commas for thousands", "commas for thousands", "either comma"),
        " ": ("decimal point, spaces for thousands", "spaces for thousands"),
        "'": ("decimal point, apostrophes for thousands", "apostrophes for thousands"),
    },
    ",": {
        ".": ("decimal comma, points for thousands", "points for thousands", "either point"),
        " ": ("decimal comma, spaces for thousands", "spaces for thousands"),
        "'": ("decimal comma, apostrophes for thousands", "apostrophes for thousands"),
    },
}


@dataclass
class Evidence:
    """What the values of each column say; columns that turn out to hold no numbers have no say."""

    seen: dict[str, dict[str, str]] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    decided: bool = False

    def look(self, column: str, values: pa.Array, *, numbers: bool) -> None:
        """`values` of a column, none missing; `numbers`: they can all be read with a decimal point."""
        import pyarrow.compute as pc

        if column in self.silent or (numbers and self.decided):
            return
        distinct = values if numbers else pc.utf8_trim_whitespace(pc.unique(values))
        found = self.seen.setdefault(column, {})
        like = 0
        if not numbers and len(distinct) and not pc.any(pc.match_substring_regex(distinct, r"[0-9]")).as_py():
            self.silent.add(column)
            return
        for form in ("decimal point", "either point") if numbers else FORMS:
            fits = pc.match_substring_regex(distinct, FORMS[form])
            count = pc.sum(fits).as_py() or 0
            like += count
            if count and form not in found:
                found[form] = distinct.filter(fits)[0].as_py()
            if numbers and count:
                break
        if not numbers and like < NUMBER_LIKE_SHARE * len(distinct):
            self.silent.add(column)
        self.decided |= numbers and "decimal point" in found

    def decide(self, reading: Reading, delimiter: str, where: str) -> NumberFormat:
        seen: dict[str, tuple[str, str]] = {}
        for column, forms in self.seen.items():
            if column not in self.silent:
                for form, value in forms.items():
                    seen.setdefault(form, (column, value))
        point = next((seen[form] for form in SAYS_POINT if form in seen), None)
        comma = next((seen[form] for form in SAYS_COMMA if form in seen), None)
        decimal = reading.decimal or {".": ",", ",": "."}.get(reading.thousands or "")
        if not decimal:
            unsure = seen.get("either comma") or (seen.get("either point") if delimiter != "," else None)
            if point and comma:
                raise _ask(
                    f"some numbers seem to have a decimal point, such as {_shown(point)}, others a decimal comma, such "
                    f"as {_shown(comma)}",
                    where,
                )
            if unsure and not point and not comma:
                raise _ask(
                    f"{_shown(unsure)} can be a number of thousands or one with three decimals, and nothing else in "
                    "the data tells which",
                    where,
                )
            decimal = "," if comma else "."
        if reading.thousands is not None:
            return NumberFormat(decimal, reading.thousands)
        grouped = (mark for mark, forms in GROUPED[decimal].items() if any(form in seen for form in forms))
        return NumberFormat(decimal, next(grouped, ""))


def _shown(witness: tuple[str, str]) -> str:
    column, value = witness
    return f"'{value[:40]}' in column '{column}'"


def _ask(what: str, where: str) -> DataError:
    return DataError(
        "PEN132",
        what,
        where=where,
        remedy=f"say which mark is the decimal one, the point or the comma: {how_to_say('decimal', '.')}",
    )
