"""Decimal marks and marks of thousands: found out from the values of all columns, or asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from penstock.components.sources.options import Reading
from penstock.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa

NUMBER_LIKE_SHARE = 0.9
SPACES = "\u00a0\u202f"


@dataclass(frozen=True)
class Marks:
    decimal: str = "."
    thousands: str = ""

    @property
    def plain(self) -> bool:
        return self == Marks()

    @property
    def pattern(self) -> str:
        """What a number looks like; groups of digits other than of three are no thousands."""
        decimal = re.escape(self.decimal)
        groups = rf"\d{{1,3}}(?:{self._group}\d{{3}})+|" if self.thousands else ""
        return rf"^[+-]?(?:(?:{groups}\d+)(?:{decimal}\d*)?|{decimal}\d+)(?:[eE][+-]?\d+)?$"

    @property
    def _group(self) -> str:
        return f"[ {SPACES}]" if self.thousands == " " else re.escape(self.thousands)

    def to_plain(self, texts: pa.Array) -> pa.Array:
        """Texts that match the pattern, as numbers are written for machines."""
        import pyarrow.compute as pc

        if self.thousands:
            texts = pc.replace_substring_regex(texts, self._group, "")
        return texts if self.decimal == "." else pc.replace_substring(texts, self.decimal, ".")


def _forms(decimal: str, other: str) -> tuple[str, str, str]:
    """Patterns: surely with this decimal mark; surely with this mark for thousands; one or the other."""
    mark, group = re.escape(decimal), re.escape(other)
    sign, exponent = r"^[+-]?", r"(?:[eE][+-]?\d+)?$"
    fraction = rf"0*{mark}\d+|\d{{4,}}{mark}\d+|0\d*{mark}\d+|\d+{mark}(?:\d{{1,2}}|\d{{4,}})"
    sure = rf"{sign}(?:(?:{fraction}){exponent}|\d+{mark}\d+[eE][+-]?\d+$|\d{{1,3}}(?:{group}\d{{3}})+{mark}\d+$)"
    return sure, rf"{sign}\d{{1,3}}(?:{mark}\d{{3}}){{2,}}$", rf"{sign}[1-9]\d{{0,2}}{mark}\d{{3}}$"


DECIMAL_POINT, THOUSANDS_POINT, EITHER_POINT = _forms(".", ",")
DECIMAL_COMMA, THOUSANDS_COMMA, EITHER_COMMA = _forms(",", ".")
FORMS = {
    "decimal point": DECIMAL_POINT,
    "decimal comma": DECIMAL_COMMA,
    "points for thousands": THOUSANDS_POINT,
    "commas for thousands": THOUSANDS_COMMA,
    "either point": EITHER_POINT,
    "either comma": EITHER_COMMA,
    "whole": r"^[+-]?\d+$",
}


@dataclass
class Evidence:
    """What the values of each column say; columns that turn out to hold no numbers have no say."""

    seen: dict[str, dict[str, str]] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    settled: bool = False

    def look(self, column: str, values: pa.Array, *, numbers: bool) -> None:
        """`values` of a column, none missing; `numbers`: they can all be read with a decimal point."""
        import pyarrow.compute as pc

        if column in self.silent or (numbers and self.settled):
            return
        distinct = values if numbers else pc.utf8_trim_whitespace(pc.unique(values))
        found = self.seen.setdefault(column, {})
        like = 0
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
        self.settled |= numbers and "decimal point" in found

    def decide(self, reading: Reading, delimiter: str, where: str) -> Marks:
        seen: dict[str, tuple[str, str]] = {}
        for column, forms in self.seen.items():
            if column not in self.silent:
                for form, value in forms.items():
                    seen.setdefault(form, (column, value))
        point = seen.get("decimal point") or seen.get("commas for thousands")
        comma = seen.get("decimal comma") or seen.get("points for thousands")
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
            return Marks(decimal, reading.thousands)
        other = "comma" if decimal == "." else "point"
        groups = [f"{other}s for thousands", f"either {other}"]
        grouped = any(form in seen for form in groups) or _is_grouped(seen, decimal)
        return Marks(decimal, {"comma": ",", "point": "."}[other] if grouped else "")


def _is_grouped(seen: dict[str, tuple[str, str]], decimal: str) -> bool:
    other = "," if decimal == "." else "."
    return any(other in value and decimal in value for _, value in seen.values())


def _shown(witness: tuple[str, str]) -> str:
    column, value = witness
    return f"'{value[:40]}' in column '{column}'"


def _ask(what: str, where: str) -> DataError:
    return DataError(
        "PEN132",
        what,
        where=where,
        remedy='say which mark is the decimal one: `data: {reading: {decimal: ","}}` or `{decimal: "."}` '
        "(`--reading` when scoring)",
    )


def facts_of(marks: Marks) -> dict[str, Any]:
    return {"decimal": marks.decimal, "thousands": marks.thousands or None}
