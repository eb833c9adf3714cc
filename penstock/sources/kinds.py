"""What the values of a column of texts are: whole numbers, numbers, truths or texts, as with all of them seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from penstock.sources.number_format import NumberFormat

if TYPE_CHECKING:
    import pyarrow as pa

Kind = Literal["empty", "whole", "number", "overflow", "truth", "text"]
"""`overflow`: numbers of which some are too large for a number; they stay as written, so that they can be shown."""

TRUE = ("True", "TRUE", "true")
FALSE = ("False", "FALSE", "false")
NUMBERS: tuple[Kind, ...] = ("whole", "number", "overflow")
MAX_EXACT = 2**53  # whole numbers beyond are no longer told apart where some are missing


@dataclass
class Column:
    """Grows with every batch: more values can only widen the kind."""

    kind: Kind = "empty"
    missing: bool = False
    large: bool = False

    def look(self, values: pa.Array, marks: NumberFormat) -> pa.Array | None:
        """Take in texts; returns those that are not missing, unless the column was known to be text already."""
        self.missing |= values.null_count > 0
        if self.kind == "text":
            return None
        known = values.drop_null() if values.null_count else values
        if len(known):
            self.kind = _joined(self.kind, self._kind_of(known, marks))
        return known

    @property
    def final(self) -> Kind:
        """A whole number that misses values is kept as a number; as text, where it would lose digits so."""
        if self.kind == "whole" and self.missing:
            return "text" if self.large else "number"
        return "number" if self.kind == "empty" else self.kind

    def _kind_of(self, known: pa.Array, marks: NumberFormat) -> Kind:
        import pyarrow as pa
        import pyarrow.compute as pc

        wide = self.kind in ("empty", "whole")
        numbers = read_numbers(known, marks, pa.int64()) if wide else None
        kind: Kind = "whole"
        if numbers is None:
            numbers, kind = read_numbers(known, marks, pa.float64()), "number"
        if numbers is None:
            return "truth" if pc.all(pc.is_in(known, pa.array(TRUE + FALSE))).as_py() else "text"
        if _codes(known, numbers) or (kind == "number" and _too_long(known)):
            return "text"
        if kind == "number" and _overflows(known, numbers):
            return "overflow"
        if kind == "whole":
            extremes = pc.min_max(numbers).as_py()
            self.large |= max(-extremes["min"], extremes["max"]) > MAX_EXACT
        return kind


def read_numbers(texts: pa.Array, marks: NumberFormat, kind: pa.DataType) -> pa.Array | None:
    """The numbers that the texts stand for; None where one of them is no such number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if marks.plain:
        try:
            return texts.cast(kind)
        except pa.ArrowInvalid:
            mended = marks.to_plain(pc.utf8_trim_whitespace(texts))
            if pc.all(pc.equal(mended, texts), min_count=0).as_py():
                return None
            texts = mended
    else:
        texts = pc.utf8_trim_whitespace(texts)
        if not pc.all(pc.match_substring_regex(texts, marks.pattern), min_count=0).as_py():
            return None
        texts = marks.to_plain(texts)
    try:
        return texts.cast(kind)
    except pa.ArrowInvalid:
        return None


def convert(texts: pa.Array, kind: Kind, marks: NumberFormat) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    if kind in ("whole", "number"):
        numbers = read_numbers(texts, marks, arrow_type(kind))
        assert numbers is not None  # the kind was found from these very texts
        return numbers
    if kind == "truth":
        return pc.if_else(pc.is_valid(texts), pc.is_in(texts, pa.array(TRUE)), None)
    return (marks.to_plain(texts) if kind == "overflow" else texts).cast(pa.large_string())


def arrow_type(kind: Kind) -> pa.DataType:
    import pyarrow as pa

    types = {"whole": pa.int64(), "number": pa.float64(), "truth": pa.bool_()}
    return types.get(kind, pa.large_string())


def _joined(before: Kind, now: Kind) -> Kind:
    if before in ("empty", now):
        return now
    if before in NUMBERS and now in NUMBERS:
        return max(before, now, key=NUMBERS.index)
    return "text"


def _codes(known: pa.Array, numbers: pa.Array) -> bool:
    """Whether some are codes with zeros in front, such as 00123, which a number would lose."""
    import pyarrow.compute as pc

    suspects = pc.starts_with(known, "0")
    if not pc.any(suspects).as_py():
        return False
    suspects = pc.and_(suspects, pc.and_(pc.greater(pc.binary_length(known), 1), pc.equal(pc.floor(numbers), numbers)))
    return bool(pc.any(pc.match_substring_regex(known.filter(suspects), r"^0[0-9xX]")).as_py())


def _overflows(known: pa.Array, numbers: pa.Array) -> bool:
    """Whether some are read as infinite, though they are written in digits, such as 1e400."""
    import pyarrow.compute as pc

    infinite = pc.is_inf(numbers)
    if not pc.any(infinite).as_py():
        return False
    return bool(pc.any(pc.match_substring_regex(known.filter(infinite), "[0-9]")).as_py())


def _too_long(known: pa.Array) -> bool:
    """Whether some are whole numbers with more digits than a number can keep."""
    import pyarrow.compute as pc

    if (pc.max(pc.binary_length(known)).as_py() or 0) < 19:
        return False
    return bool(pc.any(pc.match_substring_regex(known, r"^\s*[+-]?\d{19,}\s*$")).as_py())
