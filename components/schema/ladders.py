"""Words that stand in an order: low, medium, high; 18-25, 26-35; 1 - bad, 2 - fair; known without asking anyone."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Sequence

MAX_RUNGS = 20
MIN_RUNGS = 3

# Each in rising order; `|` parts words for the same rung, of which a column may use one.
_MIDDLE = "medium|mid|middle|moderate|normal|average"
LADDERS = tuple(
    tuple(tuple(rung.split("|")) for rung in rungs)
    for rungs in (
        ("very low", "low", _MIDDLE, "high", "very high"),
        ("xxs", "xs", "s", "m", "l", "xl", "xxl|2xl", "xxxl|3xl"),
        ("tiny|very small|extra small", "small", _MIDDLE, "large|big", "very large|extra large", "huge"),
        (
            "terrible|awful|very poor|very bad",
            "poor|bad",
            "fair",
            "below average",
            "average|typical|ok|okay|acceptable|neutral|medium",
            "above average",
            "good",
            "very good",
            "excellent|outstanding",
            "very excellent",
        ),
        ("po", "fa", "ta", "gd", "ex"),
        ("fair", "good", "very good", "premium", "ideal"),
        ("worse", "same|unchanged|equal", "better"),
        ("negative", "neutral", "positive"),
        (
            "never",
            "rarely|seldom|almost never",
            "sometimes|occasionally",
            "often|usually|frequently",
            "very often|almost always",
            "always",
        ),
        (
            "strongly disagree",
            "disagree",
            "somewhat disagree|slightly disagree",
            "neutral|undecided|neither agree nor disagree",
            "somewhat agree|slightly agree",
            "agree",
            "strongly agree",
        ),
        (
            "very dissatisfied|very unsatisfied",
            "dissatisfied|unsatisfied",
            "somewhat dissatisfied",
            "neutral|neither satisfied nor dissatisfied",
            "somewhat satisfied",
            "satisfied",
            "very satisfied",
        ),
        ("very unlikely", "unlikely", "neutral|possible|possibly", "likely", "very likely"),
        ("no", "maybe|perhaps|possibly|unsure", "yes"),
        ("none|absent", "minimal", "mild|slight|minor", "moderate", "severe|serious|major", "critical|extreme"),
        ("novice|beginner", "elementary|basic", "intermediate", "advanced", "expert"),
        ("intern|trainee", "junior", "mid|middle|mid level", "senior", "lead", "principal"),
        ("primary", "secondary", "tertiary"),
        ("high school", "associate", "bachelor|bachelors", "master|masters", "doctorate|phd"),
        ("bronze", "silver", "gold", "platinum", "diamond"),
        ("freezing", "cold", "cool", "mild", "warm", "hot"),
        ("very slow", "slow", _MIDDLE, "fast", "very fast"),
        ("very easy", "easy", _MIDDLE, "hard|difficult", "very hard|very difficult"),
        ("light", _MIDDLE, "heavy"),
        ("weak", _MIDDLE, "strong"),
        ("narrow", _MIDDLE, "wide"),
        ("short", _MIDDLE, "long"),
        ("short", _MIDDLE, "tall"),
        ("young", "middle aged", "old"),
        ("first", "second", "third", "fourth", "fifth"),
    )
)

_ROMAN = {word: rank for rank, word in enumerate(("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"), 1)}
_NUMBERED = re.compile(r"(\d+)\s*[-\u2013.:)]\s*[^\W\d]{2}.*")
_RANKED = re.compile(r"(?:(level|stage|grade|tier|phase|class|rank|step) ?(\d+|[ivx]+)|(\d+)(?:st|nd|rd|th)\b(.*))")
_NUMBER = r"[$€£]?\s*(-?\d[\d,]*(?:\.\d+)?)\s*([km%]?)"
_BETWEEN = re.compile(rf"[\[(]?{_NUMBER}\s*(?:-|\u2013|to|\.\.|,\s)\s*{_NUMBER}[\])]?")
_BELOW = re.compile(rf"(?:<=?|\u2264|under|below|less than|up to)\s*{_NUMBER}")
_ABOVE = re.compile(
    rf"(?:>=?|\u2265|over|above|more than)\s*{_NUMBER}|{_NUMBER}\s*(?:\+|plus|(?:and|or) (?:over|above|more))"
)
_ALONE = re.compile(_NUMBER)
_TIMES = {"k": 1e3, "m": 1e6}

Order = tuple[list[str], str]


def order_of(words: Sequence[str]) -> Order | None:
    """The words in rising order and how that is known; None where it is not known beyond doubt."""
    if not 2 <= len(words) <= MAX_RUNGS:
        return None
    plain = {_plain(word): word for word in words}
    if len(plain) < len(words):  # Low and low: which is the higher?
        return None
    known = {"levels on a known scale": _steps, "ranges of numbers": _ranges, "numbered levels": _numbers}
    for why, order in known.items():
        ranked = order(list(plain))
        if ranked is not None:
            levels = [plain[word] for word in ranked]
            return levels, f"{why}: {_shown(levels)}"
    return None


def _plain(word: str) -> str:
    return re.sub(r"[\s_]+|(?<=[a-z])-(?=[a-z])", " ", word.strip().lower().replace("'", ""))


def _shown(levels: list[str]) -> str:
    return " < ".join(levels if len(levels) <= 6 else [*levels[:3], "...", *levels[-2:]])


def _steps(words: list[str]) -> list[str] | None:
    if len(words) < MIN_RUNGS:
        return None
    for ladder in LADDERS:
        rungs = {word: height for height, rung in enumerate(ladder) for word in rung}
        heights = {rungs[word] for word in words if word in rungs}
        if len(heights) == len(words):
            return sorted(words, key=rungs.__getitem__)
    return None


def _numbers(words: list[str]) -> list[str] | None:
    """`1 - bad`, `2 - fair`; `stage ii`; `3rd class`."""
    ranks = _matched(words, lambda word: int(found[1]) if (found := _NUMBERED.fullmatch(word)) else None)
    ranks = ranks or _matched(words, lambda word: _rank(found) if (found := _RANKED.fullmatch(word)) else None)
    kinds = {(found[1], found[4]) for word in words if (found := _RANKED.fullmatch(word))}
    if ranks is None or len(words) < MIN_RUNGS or len(set(ranks.values())) < len(words) or len(kinds) > 1:
        return None
    return sorted(words, key=ranks.__getitem__)


def _rank(found: re.Match[str]) -> int | None:
    number = found[2] or found[3]
    return int(number) if number.isdigit() else _ROMAN.get(number)


def _matched(words: list[str], rank: Callable[[str], int | None]) -> dict[str, int] | None:
    ranks = {word: found for word in words if (found := rank(word)) is not None}
    return ranks if len(ranks) == len(words) else None


def _ranges(words: list[str]) -> list[str] | None:
    """`<18`, `18-25`, `26-35`, `36+`: at least one is a range, and none reaches into the next."""
    bounds = {word: found for word in words if (found := _bounds(word))}
    if len(bounds) < len(words) or all(low == high for low, high in bounds.values()):
        return None
    ranked = sorted(words, key=bounds.__getitem__)
    apart = all(bounds[one][1] <= bounds[next_][0] for one, next_ in itertools.pairwise(ranked))
    return ranked if apart else None


def _bounds(word: str) -> tuple[float, float] | None:
    if found := _BETWEEN.fullmatch(word):
        low, high = _value(found[1], found[2] or found[4]), _value(found[3], found[4])
        return (low, high) if low < high else None
    if found := _BELOW.fullmatch(word):
        return -math.inf, _value(found[1], found[2])
    if found := _ABOVE.fullmatch(word):
        return _value(found[1] or found[3], (found[2] or "") + (found[4] or "")), math.inf
    if found := _ALONE.fullmatch(word):
        value = _value(found[1], found[2])
        return value, value
    return None


def _value(digits: str, unit: str) -> float:
    return float(digits.replace(",", "")) * _TIMES.get(unit, 1.0)
