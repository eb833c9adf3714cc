"""Numbers as people read them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple, Protocol, TypeGuard

from pydantic import BaseModel

NOTHING = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"


def is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def number(value: Any, places: int | None = None) -> str:
    if not is_number(value):
        return NOTHING
    places = decimals(value) if places is None else places
    text = f"{value:.2e}" if places is None else f"{value:,.{places}f}"
    return "0" if not text.strip("-0.,") else text.replace("-", MINUS)


def brief(value: object) -> str:
    """As short as it can be without losing a digit that counts: 18, not 18.00."""
    text = number(value)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def decimals(*values: float) -> int | None:
    """Enough for three digits that count, the same for numbers shown together; none where powers of ten read better."""
    size = max(abs(value) for value in values)
    if 0 < size < 0.0001:
        return None
    return 4 if 0 < size < 0.1 else 3 if size < 10 else 2 if size < 100 else 1 if size < 1000 else 0


def count(value: Any) -> str:
    return f"{value:,.0f}" if is_number(value) else NOTHING


def percent(share: Any) -> str:
    if not is_number(share):
        return NOTHING
    if 0 < share < 0.001:
        return "< 0.1%"
    return f"{share:.1%}" if 0 < share < 0.1 else f"{share:.0%}"


class Measured(Protocol):
    """An interval, or a check that holds one."""

    @property
    def value(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...
    @property
    def confidence(self) -> float | None: ...


class Shown(NamedTuple):
    """An interval as people read it: errors are positive numbers, and what is no number is None."""

    value: float | None
    low: float | None
    high: float | None
    confidence: float | None = None

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Shown:
        return cls(facts["value"], facts["low"], facts["high"], facts.get("confidence"))

    @property
    def ends(self) -> list[float]:
        return [end for end in (self.low, self.value, self.high) if end is not None]


def as_shown(interval: Measured | None, sign: int = 1) -> Shown:
    """The interval of an error (sign -1) as a positive number: values change sign, so low and high change places."""
    if interval is None:
        return Shown(None, None, None)
    ends = [interval.low, interval.value, interval.high]
    low, value, high = [sign * end if is_number(end) else None for end in (ends if sign > 0 else reversed(ends))]
    return Shown(value, low, high, interval.confidence)


def span(shown: Shown) -> str:
    """`0.832 to 0.889`, with as many decimals as the value itself."""
    if shown.low is None or shown.high is None:
        return NOTHING
    places = decimals(*shown.ends)
    return f"{number(shown.low, places)} to {number(shown.high, places)}"


def value_of(shown: Shown) -> str:
    return number(shown.value, decimals(*shown.ends) if shown.ends else None)


def confidence(shown: Shown) -> str:
    """`95% interval`, or just `interval` where the level is not known."""
    level = shown.confidence
    return f"{100 * level:g}% interval" if is_number(level) else "interval"


def duration(seconds: Any) -> str:
    if not is_number(seconds):
        return NOTHING
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def moment(text: Any) -> str:
    """`16 November 2026, 09:14 UTC` for an ISO time; anything else as it is."""
    try:
        time = datetime.fromisoformat(str(text))
    except ValueError:
        return str(text)
    zone = "" if time.tzinfo is None else " UTC"
    time = time if time.tzinfo is None else time.astimezone(UTC)
    return f"{time.day} {time:%B %Y, %H:%M}{zone}"


def address(uri: Any) -> str:
    """Without the user and password that may stand in it."""
    return re.sub(r"//[^/]*@", "//", str(uri or ""))


def sentence(text: Any) -> str:
    """Beginning with a capital and ending with a stop."""
    words = str(text or "").strip()
    return words[:1].upper() + words[1:] + ("" if not words or words[-1] in ".?!" else ".")


def scalar(value: Any) -> str:
    """A fact of unknown kind on one line."""
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return count(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, BaseModel):
        return scalar(value.model_dump())
    if isinstance(value, Mapping) and set(value) == {"level", "share"}:
        return f"{value['level']} ({percent(value['share'])})"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {scalar(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(scalar(item) for item in value)
    return str(value)


def size(number: float) -> str:
    """Bytes in words."""
    for unit in ("bytes", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}"
        number /= 1000
    return f"{number:.1f} GB"
