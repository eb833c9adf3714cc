"""What each column is: inferred from its values, corrected by the pipeline file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from penstock.components.schema.casting import (
    FALSE_WORDS,
    TRUE_WORDS,
    dates,
    numbers,
    require_finite,
    require_numbers,
    texts,
)
from penstock.components.schema.columns import (
    ROW_ID,
    Column,
    Label,
    Problem,
    Role,
    Schema,
    place,
    require_columns,
)
from penstock.components.schema.target import FEW_ROWS, classes_of
from penstock.errors import DataError, examples

IDENTIFIER = "identifier-like"
MOST_CODES_BESIDE_NUMBERS = 20
_WORD_PAIRS = ({"yes", "no"}, {"true", "false"}, {"y", "n"}, {"t", "f"})
_ISO_DATE = re.compile(r"\d{4}([-/])\d{1,2}\1\d{1,2}([T ]\d{1,2}:\d{2}.*)?")

Inferred = tuple[Role, list[str] | None, str]


def infer_schema(
    frame: pd.DataFrame,
    *,
    problem: Problem,
    target: str | None = None,
    positive: Label | None = None,
    key: str | None = None,
    group: str | None = None,
    roles: Mapping[str, str | Sequence[str]] | None = None,
) -> Schema:
    """Give every column a role. Declared `roles` win; a list of words declares an ordinal with these levels."""
    roles = roles or {}
    require_columns(frame, [name for name in (target, key, group, *roles) if name is not None])
    given = _given({"target": target, "key": key, "group": group})
    columns = []
    for name in frame.columns:
        if name == ROW_ID:
            continue
        if name in given:
            role, levels, reason = given[name], None, f"declared as the {given[name]}"
        elif name in roles:
            role, levels, reason = _declared(frame[name], roles[name])
        else:
            role, levels, reason = _inferred(frame[name])
        if role == "numeric":
            require_finite(frame[name])
        columns.append(Column(name=name, role=role, levels=levels, reason=reason))
    schema = Schema(columns=columns, problem=problem, target=target, classes=None)
    if not schema.features:
        raise DataError(
            "PEN123",
            f"none of the {len(columns)} columns is left to learn from",
            where=f"ignored: {examples(column.name for column in columns if column.role == 'ignore')}",
            remedy="declare the role of a column that should be used, for example `columns: {x: nominal}`",
        )
    if target is None or problem == "clustering":
        return schema
    classes = classes_of(frame[target], problem, positive)
    return schema.model_copy(update={"classes": classes})


def _given(names: Mapping[Role, str | None]) -> dict[str, Role]:
    given: dict[str, Role] = {}
    for role, name in names.items():
        if name in given:
            raise DataError(
                "PEN125",
                f"column '{name}' is declared as both the {given[name]} and the {role}",
                where=f"column '{name}'",
                remedy=f"name another column as `{role}`, or none",
            )
        if name is not None:
            given[name] = role
    return given


def _inferred(values: pd.Series[Any]) -> Inferred:
    known = values.dropna()
    if types.infer_dtype(known) == "boolean":
        return "boolean", ["False", "True"], "holds true and false"
    if known.empty:
        return "ignore", None, "every value is missing"
    if types.is_datetime64_any_dtype(values.dtype):
        return "date", None, "holds points in time"
    if types.is_numeric_dtype(values.dtype):
        return _inferred_number(known)
    if isinstance(known.iloc[0], list | dict | np.ndarray):
        return "ignore", None, "its values are lists or records"
    counts = texts(known).dropna().value_counts()
    return _inferred_text(counts, known) if len(counts) else ("ignore", None, "every value is missing")


def _inferred_number(known: pd.Series[Any]) -> Inferred:
    if set(known.unique().tolist()) <= {0, 1}:
        return "boolean", ["0", "1"], "holds only the codes 0 and 1"
    return "numeric", None, "every value is a number"


def _inferred_text(counts: pd.Series[Any], known: pd.Series[Any]) -> Inferred:
    """`counts`: how often each text occurs."""
    rows = int(counts.sum())
    words = counts.index.to_series()
    folded = set(words.str.lower())
    if folded in _WORD_PAIRS:
        pair = sorted(folded, key=lambda word: word in TRUE_WORDS)
        return "boolean", pair, f"holds only '{pair[0]}' and '{pair[1]}'"
    is_number = pd.to_numeric(words, errors="coerce").notna()
    share = float(counts[is_number].sum()) / rows
    if not words.str.fullmatch(r"0\d+").any():  # else they are codes, such as 00123
        if share == 1.0:
            return _inferred_number(numbers(known).dropna())
        if share >= 0.9 or (share >= 0.5 and (~is_number).sum() <= MOST_CODES_BESIDE_NUMBERS):
            require_numbers(known)
    if float(counts[words.str.fullmatch(_ISO_DATE)].sum()) / rows >= 0.95 and dates(words).notna().mean() >= 0.95:
        return "date", None, "at least 95 % of its values are dates such as 2024-12-31"
    distinct = len(counts)
    mean_words = float((words.str.count(r"\S+") * counts).sum()) / rows
    if mean_words > 3 and distinct > FEW_ROWS and distinct > 0.2 * rows:
        return "text", None, f"free text: {mean_words:.1f} words on average, {distinct} different values"
    if rows > FEW_ROWS and distinct > 0.9 * rows:
        return "ignore", None, f"{IDENTIFIER}: {distinct} different values in {rows} rows"
    return "nominal", None, f"text with {distinct} different values"


def _declared(values: pd.Series[Any], role: str | Sequence[str]) -> Inferred:
    if not isinstance(role, str):
        return "ordinal", [str(level).strip() for level in role], "declared as ordinal, with its levels"
    levels = None
    if role == "numeric":
        require_numbers(values)
    elif role == "boolean":
        levels = _two_levels(values)
    elif role == "nominal":
        words = texts(values).dropna()
        if len(words) > FEW_ROWS and words.nunique() == len(words):
            raise DataError(
                "PEN114",
                f"column '{values.name}' is declared nominal, but each of its {len(words)} values is its own category",
                where=place(values),
                remedy=f"leave it out with `columns: {{{values.name}: ignore}}`",
            )
    return role, levels, f"declared as {role}"  # type: ignore[return-value]


def _two_levels(values: pd.Series[Any]) -> list[str] | None:
    """[false, true] of a declared boolean; None where the usual words (yes, no, true, false, 1, 0) are read."""
    words = texts(values).dropna().str.lower()
    distinct = sorted(words.unique().tolist())
    if words.isin(TRUE_WORDS | FALSE_WORDS).mean() > 0.5 or not distinct:
        return None
    if len(distinct) != 2 or pd.to_numeric(words, errors="coerce").notna().any():
        raise DataError(
            "PEN112",
            f"column '{values.name}' is declared boolean, but holds {examples(distinct)}",
            where=place(values),
            remedy=f"write yes and no, or 0 and 1; or declare `columns: {{{values.name}: nominal}}`",
        )
    return distinct
