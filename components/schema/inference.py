"""What each column is: inferred from its values, corrected by the pipeline file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandas.api import types

from penstock.components.schema.casting import (
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
    Role,
    Scale,
    Schema,
    require_columns,
)
from penstock.components.schema.declared import declare_column, require_weights
from penstock.components.schema.hints import FEW_ROWS, names_an_identifier, scale_of, suggestion_of, written_otherwise
from penstock.components.schema.ladders import order_of
from penstock.components.schema.target import NO_PROPOSALS, Proposals, classes_of
from penstock.components.targets import TargetType
from penstock.errors import MAX_EXAMPLES, DataError

IDENTIFIER = "identifier-like"
MAX_CODES_BESIDE_NUMBERS = 20
MAX_EXACT = 2**53
ONLY_ONE: tuple[Role, ...] = ("group", "time", "weight")
_WORD_PAIRS = ({"yes", "no"}, {"true", "false"}, {"y", "n"}, {"t", "f"})
_ISO_DATE = re.compile(r"\d{4}([-/])\d{1,2}\1\d{1,2}([T ]\d{1,2}:\d{2}.*)?")


class _Found(NamedTuple):
    role: Role
    reason: str
    levels: list[str] | None = None
    scale: Scale | None = None


def infer_schema(
    frame: pd.DataFrame,
    *,
    problem: str,
    target_type: TargetType | None = None,
    proposals: Proposals = NO_PROPOSALS,
    target: str | None = None,
    positive: Label | None = None,
    key: str | None = None,
    group: str | None = None,
    roles: Mapping[str, str | Sequence[object]] | None = None,
) -> Schema:
    """Give every column a role. Declared `roles` win; a list of words declares an ordinal with these levels.

    `target_type` is what the problem predicts. Where that is nothing, the target is a known grouping. `proposals`: the
    problem to propose for each type, where the target is of another.
    """
    roles = roles or {}
    require_columns(frame, [name for name in (target, key, group, *roles) if name is not None], target=target)
    given = given_roles({"target": target, "key": key, "group": group}, roles)
    for name in (name for name, role in given.items() if role == "weight"):
        require_weights(frame[name])
    columns = []
    for name in frame.columns:
        if name == ROW_ID:
            continue
        if name in given:
            column = Column(name=name, role=given[name], reason=_why(given[name], target_type))
        elif name in roles:
            column = declare_column(frame[name], roles[name])
        else:
            column = infer_column(frame[name])
        columns.append(column)
    schema = Schema(columns=columns, problem=problem)
    if not schema.features:
        raise DataError(
            "PEN123",
            f"none of the {len(columns)} columns is left to learn from",
            where="; ".join(f"'{column.name}': {column.reason}" for column in columns[:MAX_EXAMPLES]),
            remedy=_usable(frame, columns),
        )
    if target is None or target_type is None:
        return schema
    classes = classes_of(frame[target], target_type, positive, proposals)
    return schema.model_copy(update={"target": target, "classes": classes})


def _usable(frame: pd.DataFrame, columns: Sequence[Column]) -> str:
    """A declaration that would be taken: of a column without a part of its own, whose values repeat and differ."""
    for column in columns:
        words = texts(frame[column.name]).dropna()
        if column.role in ("ignore", "id") and 1 < words.nunique() < len(words):
            return (
                f"declare the role of a column that should be used, for example `columns: {{{column.name}: nominal}}`"
            )
    return "use data with further columns, whose values say something about the rows"


def _why(role: Role, target_type: TargetType | None) -> str:
    kept_out = role == "target" and target_type is None
    return "kept out of all that is fitted; the answer is compared with it" if kept_out else f"declared as the {role}"


def infer_column(values: pd.Series[Any]) -> Column:
    """The role that the values speak for. What the name speaks for, and would change more than this column's use, is
    only suggested: which rows belong together or weigh more is for people to say."""
    found = _inferred(values)
    suggested = suggestion_of(values, found.role)
    suggests, why = suggested or (None, "")
    reason = f"{found.reason}; {why}" if why else found.reason
    if found.role == "numeric":
        require_finite(values)
    return Column(
        name=str(values.name),
        role=found.role,
        levels=found.levels,
        scale=found.scale,
        suggests=suggests,
        reason=reason,
    )


def given_roles(names: Mapping[Role, str | None], roles: Mapping[str, object]) -> dict[str, Role]:
    """The columns that are declared to have a part of their own, by name; each part but the features' has one."""
    given: dict[str, Role] = {}
    named = [(role, name) for role, name in names.items() if name is not None]
    for role in ONLY_ONE:
        named += [(role, name) for name, declared in roles.items() if declared == role]
    for role, name in named:
        holder = next((other for other, held in given.items() if held == role), name)
        if holder != name:
            raise DataError(
                "PEN162",
                f"both '{holder}' and '{name}' are declared as the {role}, which only one column can be",
                where=f"column '{name}'",
                remedy=f"keep one of the two, and declare the other as what it is, or `{name}: ignore`",
            )
        if given.get(name, role) != role:
            raise DataError(
                "PEN125",
                f"column '{name}' is declared as both the {given[name]} and the {role}",
                where=f"column '{name}'",
                remedy=f"name another column as `{role}`, or none",
            )
        if names.get(role) == name and roles.get(name, role) not in (role, *ONLY_ONE):
            raise DataError(
                "PEN125",
                f"column '{name}' is the {role}, but `columns` declares it otherwise",
                where=f"column '{name}'",
                remedy=f"take '{name}' out of `columns`, or name another column as `{role}`",
            )
        given[name] = role
    return given


def _inferred(values: pd.Series[Any]) -> _Found:
    known = values.dropna()
    if types.infer_dtype(known) == "boolean":
        return _Found("boolean", "holds true and false", ["False", "True"])
    if known.empty:
        return _Found("ignore", "every value is missing")
    if types.is_datetime64_any_dtype(values.dtype):
        return _Found("date", "holds points in time")
    if isinstance(values.dtype, pd.CategoricalDtype) and values.dtype.ordered:
        levels = texts(pd.Series(values.dtype.categories)).tolist()
        return _Found("ordinal", f"an ordered category of {len(levels)} levels", levels)
    if types.is_numeric_dtype(values.dtype):
        return _inferred_number(known, len(values))
    if isinstance(known.iloc[0], list | dict | np.ndarray):
        return _Found("ignore", "its values are lists or records")
    counts = texts(known).dropna().value_counts()
    return _inferred_text(counts, known, len(values)) if len(counts) else _Found("ignore", "every value is missing")


def _inferred_number(known: pd.Series[Any], rows: int) -> _Found:
    """`known` is of a numeric type."""
    if known.isin([0, 1]).all():
        return _Found("boolean", "holds only the codes 0 and 1", ["0", "1"])
    whole = bool((known % 1 == 0).all())
    if whole and len(known) == rows > FEW_ROWS and known.is_unique and names_an_identifier(known.name):
        return _Found("id", f"{IDENTIFIER}: its name says so, and each of {rows} rows has a number of its own")
    scale, reason = scale_of(known)
    return _Found("numeric", reason, scale=scale)


def _codes(words: pd.Series[Any]) -> bool:
    """Whether a number would lose some of their digits: 00123, or one of 25 digits."""
    nearly = words[words.str.fullmatch(r"[+-]?\d{16}")]
    return bool(words.str.fullmatch(r"0\d+|[+-]?\d{17,}").any()) or any(abs(int(word)) > MAX_EXACT for word in nearly)


def _inferred_text(counts: pd.Series[Any], known: pd.Series[Any], all_rows: int) -> _Found:
    """`counts`: how often each text occurs."""
    rows = int(counts.sum())
    words = counts.index.to_series()
    folded = set(words.str.lower())
    if folded in _WORD_PAIRS:
        pair = sorted(folded, key=lambda word: word in TRUE_WORDS)
        return _Found("boolean", f"holds only '{pair[0]}' and '{pair[1]}'", pair)
    order = order_of(words.tolist())
    if order is not None:
        return _Found("ordinal", order[1], order[0])
    is_number = pd.to_numeric(words, errors="coerce").notna()
    share = float(counts[is_number].sum()) / rows
    if not _codes(words):
        if share == 1.0:
            return _inferred_number(numbers(known).dropna(), all_rows)
        if share >= 0.9 or (share >= 0.5 and (~is_number).sum() <= MAX_CODES_BESIDE_NUMBERS):
            require_numbers(known)
    if float(counts[words.str.fullmatch(_ISO_DATE)].sum()) / rows >= 0.95 and dates(words).notna().mean() >= 0.95:
        return _Found("date", "at least 95 % of its values are dates such as 2024-12-31")
    advice = written_otherwise(words, counts)
    odd = f"; {advice}" if advice else ""
    distinct = len(counts)
    mean_words = float((words.str.count(r"\S+") * counts).sum()) / rows
    if mean_words > 3 and distinct > FEW_ROWS and distinct > 0.2 * rows:
        return _Found("text", f"free text: {mean_words:.1f} words on average, {distinct} different values")
    if rows > FEW_ROWS and distinct == rows == all_rows and not advice:
        return _Found("id", f"{IDENTIFIER}: each of {rows} rows has a value of its own")
    if rows > FEW_ROWS and distinct > 0.9 * rows:
        return _Found("ignore", f"{IDENTIFIER}: {distinct} different values in {rows} rows{odd}")
    return _Found("nominal", f"text with {distinct} different values{odd}")
