"""Rules as people write them: `if outlook = sunny and humidity > 75 then no`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from penstock.errors import did_you_mean, examples, shorten

SIGNS = {"≤": "<=", "≥": ">=", "≠": "!=", "==": "="}
YES_OR_NO = {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}
ALWAYS = "always"
_UNQUOTED = r"""(?=(?:[^"]*"[^"]*")*[^"]*$)"""
_RULE = re.compile(rf"^\s*(?:if\s+)?(.+?)\s+then\s+{_UNQUOTED}(.+?)\s*$", re.IGNORECASE | re.DOTALL)
_AND = re.compile(rf"\s+and\s+{_UNQUOTED}", re.IGNORECASE)
_TEST = re.compile(r"""^\s*("[^"]*"|.+?)\s*(<=|>=|!=|==|≤|≥|≠|=|<|>)\s*("[^"]*"|.+?)\s*$""", re.DOTALL)
_FORM = (
    "write `if COLUMN = LEVEL and COLUMN > NUMBER then CLASS`, with names that hold signs, "
    '"and" or "then" in double quotes'
)


class Asked(NamedTuple):
    """`sign` is one of =, !=, <, <=, > and >=."""

    column: str
    sign: str
    value: str


class Written(NamedTuple):
    """All tests have to hold; without any, the rule always answers."""

    tests: tuple[Asked, ...]
    prediction: str


class Bound(NamedTuple):
    """A test of a place in the table; nowhere (-1) where no row has the level, so that it holds of none, or of all."""

    place: int
    sign: str
    value: float | str


def read_rule(words: str) -> Written:
    """The rule that the words say, or a ValueError that says what is wrong with them."""
    found = _RULE.match(words)
    if found is None:
        raise ValueError(f"'{shorten(words, 80)}' is no rule: {_FORM}")
    body, prediction = found.groups()
    if body.lower() == ALWAYS:
        return Written((), _bare(prediction))
    return Written(tuple(_read_test(part) for part in _AND.split(body)), _bare(prediction))


def _read_test(words: str) -> Asked:
    found = _TEST.match(words)
    if found is None:
        raise ValueError(f"'{shorten(words, 80)}' is no test of a column: {_FORM}")
    column, sign, value = found.groups()
    return Asked(_bare(column), SIGNS.get(sign, sign), _bare(value))


def number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def bind(
    test: Asked, names: Sequence[str], numeric: Sequence[bool], levels_of: Mapping[str, Sequence[str]] | None = None
) -> Bound:
    """Where the table holds what the test asks about: a column of its own, or one that says yes to the level.

    A column of levels may stand there as a column of ones and zeros for each level, `plan = pro`; or, where its levels
    rise, as their places in `levels_of`.
    """
    if test.column in names:
        place = list(names).index(test.column)
        rising = (levels_of or {}).get(test.column, ())
        value = _as_number(test.value, rising) if numeric[place] else test.value
        if value is None:
            holds = f"the levels {examples(rising)}" if rising else "numbers"
            raise ValueError(f"column '{test.column}' holds {holds}, and '{test.value}' is none of them")
        if not numeric[place] and test.sign not in ("=", "!="):
            raise ValueError(f"column '{test.column}' holds levels, which are not less or more than {test.value}")
        return Bound(place, test.sign, value)
    levels = [name for name in names if name.startswith(f"{test.column} = ")]
    if not levels:
        known = [name.partition(" = ")[0] for name in names]
        raise ValueError(f"there is no column '{test.column}'; {did_you_mean(test.column, list(dict.fromkeys(known)))}")
    if test.sign not in ("=", "!="):
        raise ValueError(f"column '{test.column}' holds levels, which are not less or more than {test.value}")
    level = f"{test.column} = {test.value}"
    place = list(names).index(level) if level in levels else -1
    return Bound(place, ">" if test.sign == "=" else "<=", 0.5)


def _as_number(value: str, rising: Sequence[str]) -> float | None:
    if value in rising:
        return float(list(rising).index(value))
    return YES_OR_NO.get(value.lower(), number(value))


def _bare(words: str) -> str:
    stripped = words.strip()
    return stripped[1:-1] if len(stripped) > 1 and stripped[0] == stripped[-1] == '"' else stripped
