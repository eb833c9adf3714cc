"""The target: whether it holds classes or a quantity, and which classes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from penstock.components.schema.casting import FALSE_WORDS, TRUE_WORDS, numbers, require_finite, text_of, texts
from penstock.components.schema.columns import Label, Schema, place
from penstock.components.schema.hints import FEW_ROWS, look_like_dates, written_otherwise
from penstock.components.targets import TargetType
from penstock.errors import DataError, did_you_mean, examples

MAX_NUMBERED_CLASSES = 10
MOSTLY = 0.9
CLASSES = "merge classes, or name another target"
UNKNOWN = "correct these values, or leave them empty where the number is unknown"
ANOTHER = "or name another target"
DATES = (
    "a date cannot be predicted: bring in a number in its place, such as the days since a first one, or name another "
    "target"
)


Proposals = Mapping[TargetType | None, str]
NO_PROPOSALS: Proposals = MappingProxyType({})


def target_type_of(values: pd.Series[Any]) -> tuple[TargetType, str]:
    """What this column holds, and why: from its values alone, never from other columns."""
    words = texts(values).dropna()
    distinct = words.nunique()
    read = numbers(values).dropna()
    strangers = len(words) - len(read)
    if strangers and not types.is_bool_dtype(values.dtype) and _mostly_numbers(read, words):
        return "quantity", f"'{values.name}' holds numbers, but for {strangers} value(s)"
    if types.is_bool_dtype(values.dtype) or strangers:
        return "classes", f"'{values.name}' holds {distinct} different words{_said_alike(words)}"
    if distinct <= 2:
        return "classes", f"'{values.name}' has only {distinct} different values"
    if (read % 1 != 0).any():
        return "quantity", f"'{values.name}' holds numbers with fractions"
    if distinct <= MAX_NUMBERED_CLASSES and distinct <= 0.05 * len(words):
        return "classes", f"'{values.name}' has only {distinct} different whole numbers in {len(words)} rows"
    return "quantity", f"'{values.name}' holds {distinct} different whole numbers"


def alike(words: pd.Series[Any]) -> list[list[str]]:
    """Words that differ only in case or spaces, in groups."""
    distinct = pd.Series(sorted(words.dropna().unique().tolist()), dtype="str")
    folded = distinct.str.casefold().str.replace(r"\s+", " ", regex=True)
    return [group.tolist() for _, group in distinct.groupby(folded) if len(group) > 1]


def _said_alike(words: pd.Series[Any]) -> str:
    groups = alike(words)
    if not groups:
        return ""
    return f", of which {examples(groups[0])} differ only in case or spaces: if they mean the same, write them alike"


def _mostly_numbers(read: pd.Series[Any], words: pd.Series[Any]) -> bool:
    """A quantity with a few slips of the pen, rather than classes of which many are numbers."""
    return len(read) >= MOSTLY * len(words) and read.nunique() > MAX_NUMBERED_CLASSES


def encode_target(values: pd.Series[Any], schema: Schema) -> np.ndarray[Any, Any]:
    """int64 codes into the classes, or float64 of a quantity."""
    if schema.classes is None:
        return numbers(values).to_numpy()
    codes = {text_of(label): code for code, label in enumerate(schema.classes)}
    encoded = texts(values).map(codes)
    strangers = values[encoded.isna()]
    if len(strangers):
        raise DataError(
            "PEN124",
            f"{len(strangers)} of {len(values)} targets are missing or not among the classes: "
            f"{examples(strangers.unique().tolist())}",
            where=place(values),
            remedy=f"the classes are {examples(schema.classes)}; correct or drop these rows",
        )
    return encoded.to_numpy(dtype="int64")


def classes_of(
    values: pd.Series[Any], target_type: TargetType, positive: Label | None, proposals: Proposals = NO_PROPOSALS
) -> list[Label] | None:
    """The classes of the target, or None of a quantity, after the target was found to be of this type."""
    words = texts(values).dropna()
    rows, distinct = len(words), words.nunique()
    if rows == 0:
        raise DataError(
            "PEN110",
            f"the target '{values.name}' is missing in every row",
            where=place(values),
            remedy="name another column as `target`, or bring in its values",
        )
    if target_type == "quantity":
        _require_quantity(values, proposals)
    if distinct == 1:
        kind = "class" if target_type == "classes" else "value"
        raise DataError(
            "PEN111",
            f"the target '{values.name}' has only one {kind}: {examples(words.unique().tolist())}",
            where=place(values),
            remedy="there is nothing to learn; use data with at least two, or name another column as `target`",
        )
    if target_type == "quantity":
        return None
    read = numbers(values) if types.is_numeric_dtype(values.dtype) else None
    fractions = read is not None and bool((read.dropna() % 1 != 0).any())
    if _too_many(words) or (fractions and distinct > FEW_ROWS):
        raise DataError(
            "PEN114",
            f"the target '{values.name}' has {distinct} classes in {rows} rows",
            where=place(values),
            remedy=_advice(words, otherwise=_if_quantity(proposals) if numbers(words).notna().all() else CLASSES),
        )
    return _ordered(values, words, positive)


def _require_quantity(values: pd.Series[Any], proposals: Proposals) -> None:
    read = numbers(values)
    strangers = texts(values)[read.isna()].dropna()
    if types.is_bool_dtype(values.dtype) or len(strangers):
        words = texts(values).dropna()
        shown = (strangers if len(strangers) else values).unique().tolist()
        raise DataError(
            "PEN119",
            f"the target has to be numeric here, but '{values.name}' holds {examples(shown)}",
            where=place(values),
            remedy=_advice(strangers, otherwise=f"{UNKNOWN}; {_if_classes(words, proposals)}"),
        )
    require_finite(values)


def _if_quantity(proposals: Proposals) -> str:
    if "quantity" not in proposals:
        return CLASSES
    return f"if it is a quantity, {_proposed(proposals['quantity'])}; if not, {CLASSES}"


def _if_classes(words: pd.Series[Any], proposals: Proposals) -> str:
    if _too_many(words) or "classes" not in proposals:
        return ANOTHER
    return f"if they are classes, {_proposed(proposals['classes'])}"


def _proposed(problem: str) -> str:
    return f"say `problem: {problem}` (`--problem {problem}` to init)"


def _too_many(words: pd.Series[Any]) -> bool:
    rows, distinct = len(words), words.nunique()
    return (distinct == rows and rows > 2) or (rows > FEW_ROWS and distinct > 0.5 * rows)


def _advice(words: pd.Series[Any], *, otherwise: str) -> str:
    """What helps whatever is predicted, where the target holds dates, or numbers in a form that is not read."""
    if words.empty:
        return otherwise
    counts = words.value_counts()
    distinct = counts.index.to_series()
    if look_like_dates(distinct, counts):
        return DATES
    return written_otherwise(distinct, counts) or otherwise


def _ordered(values: pd.Series[Any], words: pd.Series[Any], positive: Label | None) -> list[Label]:
    if types.is_bool_dtype(values.dtype):
        classes: list[Label] = [False, True]
    elif types.is_numeric_dtype(values.dtype):
        require_finite(values)
        found = sorted(numbers(values).dropna().unique().tolist())
        classes = [int(label) if label.is_integer() else label for label in found]
    else:
        classes = sorted(words.unique().tolist())
    counts = words.value_counts()
    if positive is not None:
        chosen = _find(positive, classes, values)
    else:
        chosen = min(reversed(classes), key=lambda label: counts[text_of(label)])
    if len(classes) == 2 and classes[0] == chosen:
        classes.reverse()
    return classes


def _find(positive: Label, classes: list[Label], values: pd.Series[Any]) -> Label:
    known = {text_of(label): label for label in classes}
    word = text_of(positive).strip()
    if word in known:
        return known[word]
    if isinstance(positive, bool):  # YAML reads an unquoted yes as true
        usual = TRUE_WORDS if positive else FALSE_WORDS
        meant = [label for text, label in known.items() if text.lower() in usual]
        if len(meant) == 1:
            return meant[0]
    raise DataError(
        "PEN120",
        f"`positive` is {examples([positive])}, which is not a class of '{values.name}'",
        where=place(values),
        remedy=did_you_mean(word, list(known)),
    )
