"""Columns that are written down only after the outcome: by their names, and by their dates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from penstock.components.analysis.findings import MEASURES
from penstock.components.leakage.base import Check, Seen, Sides, does_not_apply, passed, plural, quoted
from penstock.components.schema.hints import words_of

LATER_WORDS = frozenset(
    {
        *("afterwards", "outcome", "outcomes", "aftermath", "closed", "closure", "cancel", "cancelled", "canceled"),
        *("cancellation", "cancelation", "terminated", "termination", "resolved", "resolution", "refunded", "refund"),
        *("chargeback", "discharge", "discharged", "settlement", "postmortem"),
    }
)
HOW_LONG = frozenset({"duration", "durations", "elapsed", "runtime"})
FAR_MORE = 1.5
WORTH_SAYING = 0.1
# `post_code` is a place and `income_after_tax` an amount.
NOT_LATER = {"after": {"tax", "taxes", "discount", "costs"}, "post": {"code", "office", "box", "town", "al"}}
PLANNED = frozenset(
    {
        *("due", "end", "ends", "expiry", "expires", "expiration", "planned", "scheduled", "renewal"),
        *("deadline", "until", "valid", "next", "maturity", "expected", "estimated"),
    }
)
EARLIER_WORDS = frozenset(
    {"last", "previous", "prev", "lag", "lagged", "past", "before", "yesterday", "prior", "earlier", "ago", "history"}
)
EMPTY_WORDS = frozenset(
    {"is", "has", "was", "will", "the", "y", "target", "label", "class", "value", "flag", "of", "in"}
)
_ENDING = re.compile(r"(ations?|ings?|ed|es|ers?|s|e|d|y)$")
LATER_SHARE = 0.01
MIN_ROWS = 3


def _by_name(sides: Sides) -> Seen:
    target = sides.schema.target
    own = _telling(target) if target else []
    told = {}
    for name in sides.features:
        words = words_of(name)
        if own and _within(own, _telling(name)) and not EARLIER_WORDS & set(words):
            told[name] = f"holds the name of the target '{target}'"
        elif word := _later_word(words):
            told[name] = f"'{word}' tells of something after the event"
        elif HOW_LONG & set(words) and (scores := _towers_above(name, sides.alone)):
            told[name] = f"how long it took is known at the end, and it tells far more than any other column ({scores})"
    if not told:
        return passed("no feature's name tells of the outcome or of something after it")
    shown = [f"{name}: {why}" for name, why in told.items()]
    message = f"by name, {quoted(told)} may be known only after the outcome; {shown[0]}"
    return Seen("found", message, list(told), len(told), shown)


def _later_word(words: list[str]) -> str | None:
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else ""
        if word in NOT_LATER and following not in NOT_LATER[word]:
            return word
        if word in LATER_WORDS:
            return word
    return None


def _towers_above(name: str, alone: Mapping[str, Any] | None) -> str:
    """The scores of the column and of the next best, where it alone is further above chance by half than any other.

    The length of a loan is agreed upon beforehand, but seldom is it all that matters. That of a call is, where the
    target is how the call ended.
    """
    if not alone or len(alone["columns"]) < 2 or alone["columns"][0]["column"] != name:
        return ""
    best, second = (one["score"] for one in alone["columns"][:2])
    above, second_above = best - alone["dummy"], second - alone["dummy"]
    if above < WORTH_SAYING or above < FAR_MORE * second_above:
        return ""
    return f"{MEASURES[alone['measure']]} {best:.2f}, the next {second:.2f}"


def _telling(name: str) -> list[str]:
    return [_stem(word) for word in words_of(name) if word not in EMPTY_WORDS]


def _within(own: list[str], words: list[str]) -> bool:
    """Whether the target's words stand one after the other: `housing_median_age` does not hold `median_house_value`."""
    return any(words[place : place + len(own)] == own for place in range(len(words) - len(own) + 1))


def _stem(word: str) -> str:
    short = _ENDING.sub("", word)
    return short if len(short) >= 4 else word


def _by_time(sides: Sides) -> Seen:
    """A date after the moment of its own row was not known then, unless it was planned."""
    like = [column.name for column in sides.suggested("time")]
    time = sides.schema.named("time") or (like[0] if len(like) == 1 else None)
    dates = [column.name for column in sides.schema.features if column.role == "date" and column.name != time]
    if time is None or not dates:
        return does_not_apply(
            "no date beside a moment of each row" if time else "no column tells the moment of each row"
        )
    planned = [name for name in dates if PLANNED & set(words_of(name))]
    later = {}
    for name in (name for name in dates if name not in planned):
        known = sides.train[name].notna() & sides.train[time].notna()
        after = np.flatnonzero((sides.train[name] > sides.train[time]) & known)
        if len(after) >= MIN_ROWS and len(after) > LATER_SHARE * known.sum():
            later[name] = after
    aside = f"; {quoted(planned)} may be planned ahead, by name" if planned else ""
    if not later:
        return passed(f"no date lies after its row's '{time}'{aside}")
    worst = max(later, key=lambda name: len(later[name]))
    rows = len(later[worst])
    message = f"'{worst}' lies after its row's '{time}' in {plural(rows, 'row')}"
    message += f", and so do {len(later) - 1} more columns" if len(later) > 1 else ""
    return Seen("found", message + aside, list(later), rows, sides.ids(later[worst]))


BY_NAME = Check(
    "LEK009",
    "columns that come after the event, by name",
    "warning",
    "ask when its values are written down; if only after the outcome, leave it out with `columns: {x: ignore}`",
    _by_name,
)
BY_TIME = Check(
    "LEK010",
    "columns that come after the event, by date",
    "error",
    "leave it out with `columns: {x: ignore}`: a date after the moment of the row was not known then",
    _by_time,
)
