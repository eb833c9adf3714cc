"""Checks of what values can be: impossible ones, unreasonable ones, columns mostly empty, rows that are linked.

By pandas: no expectation knows a range that was not written down, nor compares a column with itself.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from penstock.components.contract import Finding
from penstock.components.schema import FEW_ROWS, Column, alike, texts
from penstock.errors import examples
from penstock.expectations.checks import Check, Problem, View, rows_at

# Quantities that cannot be below zero, by words of a column's name.
NEVER_NEGATIVE = {
    "age", "height", "weight", "length", "width", "depth", "area", "size", "distance", "duration", "count", "quantity",
    "volume", "population", "visits", "rooms", "floors", "people", "items", "pages", "words",
}  # fmt: skip
MAX_NEGATIVE = 0.05
MIN_FOR_TAILS = 100
TAIL = 0.01
TIMES_TAIL = 5.0
MAX_MISSING = 0.5
MOSTLY_DIFFERENT = 0.9
SHARED = 0.5
MIN_NODES = 10


def _impossible(view: View, _: list[Finding]) -> list[Problem]:
    """Negative numbers, where the name of the column speaks of something that has none, and nearly all are not."""
    problems = []
    for column in _numeric(view):
        values = view.canonical[column.name]
        negative = _cannot_be(values)
        if negative.any():
            seen, count = values[negative].iloc[0], int(negative.sum())
            message = f"column '{column.name}' holds {count} negative value(s), such as {seen:g}, which cannot be"
            problems.append(_at(column, negative, message))
    return problems


def _cannot_be(values: pd.Series[Any]) -> np.ndarray[Any, Any]:
    negative = (values < 0).to_numpy()
    few = negative.sum() <= MAX_NEGATIVE * values.notna().sum()
    return negative if few and NEVER_NEGATIVE & set(_words(str(values.name))) else np.zeros(len(values), dtype=bool)


def _unreasonable(view: View, _: list[Finding]) -> list[Problem]:
    """Values five times as far from the median as the last hundredth of the others begins, on the same side.

    A long tail has a far last hundredth itself, so that it is not taken for a mistake; a slipped comma is.
    """
    problems = []
    for column in _numeric(view):
        found = view.canonical[column.name]
        values = found.mask(_cannot_be(found)).to_numpy(dtype=np.float64)
        known = np.sort(values[~np.isnan(values)])
        if len(known) < MIN_FOR_TAILS:
            continue
        middle, tail = np.median(known), int(TAIL * len(known)) + 1
        low, high = known[tail], known[-1 - tail]
        with np.errstate(over="ignore"):
            bottom, top = middle - TIMES_TAIL * (middle - low), middle + TIMES_TAIL * (high - middle)
        far = ((values < bottom) & (low < middle)) | ((values > top) & (high > middle))
        if far.any():
            furthest = values[far][np.argmax(np.abs(values[far] - middle))]
            message = (
                f"column '{column.name}' holds {int(far.sum())} value(s) far from all others, such as {furthest:g}; "
                f"98 % lie between {low:g} and {high:g}"
            )
            problems.append(_at(column, far, message))
    return problems


def _mostly_empty(view: View, _: list[Finding]) -> list[Problem]:
    problems = []
    for column in view.schema.features:
        gaps = view.canonical[column.name].isna().to_numpy()
        if MAX_MISSING < gaps.mean() < 1:
            message = f"column '{column.name}' is missing in {gaps.mean():.0%} of rows"
            problems.append(_at(column, gaps, message))
    return problems


def _linked(view: View, _: list[Finding]) -> list[Problem]:
    """Rows in the order of a clock, or two columns that name the same things: what one row says bears on another."""
    rows = len(view.received)
    if rows <= FEW_ROWS:
        return []
    clocks = [
        Problem(column.name, rows, 1.0, f"the rows follow each other in time, by column '{column.name}'")
        for column in view.schema.features
        if column.role == "date" and _is_clock(view.canonical[column.name])
    ]
    return [*clocks, *_edges(view)]


def _is_clock(values: pd.Series[Any]) -> bool:
    ordered = values.is_monotonic_increasing or values.is_monotonic_decreasing
    return bool(ordered and values.nunique() > MOSTLY_DIFFERENT * len(values))


def _edges(view: View) -> list[Problem]:
    """Two columns of names that share most of them and seldom agree in a row, as in an edge list."""
    named = {
        column.name: texts(view.received[column.name])
        for column in view.schema.columns
        if column.name in view.received and column.role in ("nominal", "id", "ignore", "group", "key")
        and not types.is_float_dtype(view.received[column.name].dtype)
    }  # fmt: skip
    levels = {name: set(values.dropna().unique()) for name, values in named.items()}
    names = [name for name in named if len(levels[name]) >= MIN_NODES]
    problems = []
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            both = levels[one] & levels[other]
            if len(both) < SHARED * len(levels[one] | levels[other]):
                continue
            if (named[one] == named[other]).mean() < 1 - MOSTLY_DIFFERENT:
                message = f"columns '{one}' and '{other}' name the same {len(both)} things: rows look like links"
                problems.append(Problem(one, len(view.received), 1.0, message, sorted(both)[:3]))
    return problems


def _alike_classes(view: View, _: list[Finding]) -> list[Problem]:
    """By pandas: classes are compared with each other. Spaces around a word are dropped before."""
    column = view.schema.labels
    if column not in view.received.columns:
        return []
    words = texts(view.received[column])
    problems = []
    for group in alike(words):
        named = words.isin(group)
        message = f"classes of the target '{column}' differ only in case or spaces: {examples(group)}"
        problems.append(Problem(column, int(named.sum()), float(named.mean()), message, group))
    return problems


def _numeric(view: View) -> list[Column]:
    return [column for column in view.schema.features if column.role == "numeric"]


def _at(column: Column, where: np.ndarray[Any, Any], message: str) -> Problem:
    return Problem(column.name, int(where.sum()), float(where.mean()), message, rows_at(np.flatnonzero(where)))


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())


IMPOSSIBLE = Check(
    "CHK012", "impossible values", "warning", "correct them, or leave them empty where unknown", _impossible
)
UNREASONABLE = Check(
    "CHK013",
    "unreasonable values",
    "warning",
    "look for slips of typing and mixed units; if the values are right, leave them",
    _unreasonable,
)
MOSTLY_EMPTY = Check(
    "CHK014",
    "mostly empty columns",
    "warning",
    "find out why; if the gaps tell nothing, leave the column out with `columns: {x: ignore}`",
    _mostly_empty,
)
ALIKE_CLASSES = Check(
    "CHK016",
    "classes alike",
    "warning",
    "if they mean the same, write them alike in the data: as it is, they are learnt as classes of their own",
    _alike_classes,
)
LINKED_ROWS = Check(
    "CHK015",
    "linked rows",
    "warning",
    "models for tables take rows as independent: if later rows depend on earlier ones, or rows on their neighbours, "
    "scores on rows drawn at random are too good; judge on later rows, or name what is shared as `group`",
    _linked,
)
