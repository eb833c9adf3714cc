"""What each column is: inferred from its values, corrected by the pipeline file, enforced at every reading."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from pandas.api import types
from pydantic import BaseModel, ConfigDict

from penstock.errors import DataError, did_you_mean, examples

ROW_ID = "_row_id"
IDENTIFIER = "identifier-like"
MISSING_WORDS = frozenset({"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "null", "NULL", "None"})

Problem = Literal["classification", "regression", "clustering"]
FeatureRole = Literal["numeric", "nominal", "ordinal", "boolean", "date", "text"]
Role = Literal[FeatureRole, "ignore", "target", "key", "group"]
Label = bool | int | float | str
Inferred = tuple[Role, list[str] | None, str]

FEW_ROWS = 20
MOST_CODES_BESIDE_NUMBERS = 20
_TRUE = frozenset({"true", "yes", "y", "t", "1"})
_FALSE = frozenset({"false", "no", "n", "f", "0"})
_WORD_PAIRS = ({"yes", "no"}, {"true", "false"}, {"y", "n"}, {"t", "f"})
_ISO_DATE = re.compile(r"\d{4}([-/])\d{1,2}\1\d{1,2}([T ]\d{1,2}:\d{2}.*)?")


class Column(BaseModel):
    """One column, what it is used as, and why. `levels`: of an ordinal in rising order, of a boolean [false, true]."""

    model_config = ConfigDict(frozen=True)

    name: str
    role: Role
    levels: list[str] | None = None
    reason: str


class Schema(BaseModel):
    """All columns of the data. `classes` of two: [negative, positive]."""

    model_config = ConfigDict(frozen=True)

    columns: list[Column]
    problem: Problem
    target: str | None = None
    classes: list[Label] | None = None

    @property
    def features(self) -> list[Column]:
        return [column for column in self.columns if column.role in get_args(FeatureRole)]

    def column(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)


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
            _require_finite(frame[name])
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
    classes = _classes(frame[target], problem, positive)
    return schema.model_copy(update={"classes": classes})


def conform(frame: pd.DataFrame, schema: Schema, *, strict: bool) -> pd.DataFrame:
    """The schema's columns in the canonical dtype of their role.

    Strict (at ingest): target, key and group must be there, and a numeric value that cannot be read, or is infinite, is
    an error. Otherwise (at scoring) only features must be there, and such a value becomes missing. Further columns are
    left out.
    """
    needed = {column.name for column in schema.features}
    if strict:
        needed |= {column.name for column in schema.columns if column.role in ("target", "key", "group")}
    require_columns(frame, [column.name for column in schema.columns if column.name in needed])
    cast_columns: dict[str, pd.Series[Any]] = {}
    if ROW_ID in frame.columns:
        cast_columns[ROW_ID] = frame[ROW_ID].astype("str")
    for column in schema.columns:
        if column.name not in frame.columns:
            continue
        values = frame[column.name]
        quantity = column.role == "numeric" or (column.role == "target" and schema.problem == "regression")
        if not quantity:
            cast_columns[column.name] = cast(values, column)
            continue
        if strict:
            _require_numbers(values)
            _require_finite(values)
        read = numbers(values)
        cast_columns[column.name] = read.where(np.isfinite(read))
    return pd.DataFrame(cast_columns, index=frame.index)


def encode_target(values: pd.Series[Any], schema: Schema) -> np.ndarray[Any, Any]:
    """int64 codes into the classes, or float64 of a quantity."""
    if schema.classes is None:
        return numbers(values).to_numpy()
    codes = {_text_of(label): code for code, label in enumerate(schema.classes)}
    encoded = texts(values).map(codes)
    strangers = values[encoded.isna()]
    if len(strangers):
        raise DataError(
            "PEN124",
            f"{len(strangers)} of {len(values)} targets are missing or not among the classes: "
            f"{examples(strangers.unique().tolist())}",
            where=_place(values),
            remedy=f"the classes are {examples(schema.classes)}; correct or drop these rows",
        )
    return encoded.to_numpy(dtype="int64")


def cast(values: pd.Series[Any], column: Column) -> pd.Series[Any]:
    """Values in the canonical dtype of the column's role; what cannot be read becomes missing."""
    if column.role == "numeric":
        return numbers(values)
    if column.role == "boolean":
        return _booleans(values, column.levels)
    if column.role == "date":
        return dates(values)
    if column.role == "ordinal":
        words = texts(values)
        return words.where(words.isin(column.levels or []))
    return texts(values)


def texts(values: pd.Series[Any]) -> pd.Series[Any]:
    """One text per value: 3.0 and 3 are both '3', spaces around are dropped, and words such as 'NA' are missing."""
    if not isinstance(values.dtype, pd.StringDtype):
        values = _as_text(values)
    stripped = values.astype("str").str.strip()
    return stripped.mask(stripped.isin(MISSING_WORDS))


def numbers(values: pd.Series[Any]) -> pd.Series[Any]:
    if types.is_numeric_dtype(values.dtype) or types.is_bool_dtype(values.dtype):
        return pd.Series(values.to_numpy(dtype="float64", na_value=np.nan), index=values.index, name=values.name)
    read: pd.Series[Any] = pd.to_numeric(texts(values), errors="coerce").astype("float64")
    return read


def dates(values: pd.Series[Any]) -> pd.Series[Any]:
    """ISO 8601 texts and points in time, in UTC without saying so; what cannot be read becomes missing."""
    if not types.is_datetime64_any_dtype(values.dtype):
        # Nanoseconds in one row would narrow the range of years that all rows can hold.
        words = texts(values).str.replace(r"(\.\d{6})\d+", r"\1", regex=True)
        values = pd.to_datetime(words, format="ISO8601", errors="coerce", utc=True)
    elif isinstance(values.dtype, pd.DatetimeTZDtype):
        values = values.dt.tz_convert("UTC")
    naive: pd.Series[Any] = values.dt.tz_localize(None).dt.as_unit("us")
    return naive


def require_columns(frame: pd.DataFrame, names: Sequence[str]) -> None:
    present = [str(name) for name in frame.columns]
    twice = sorted({name for name in present if present.count(name) > 1}) if len(set(present)) < len(present) else []
    if twice:
        raise DataError(
            "PEN106",
            f"{len(twice)} column name(s) occur more than once: {examples(twice)}",
            where="header",
            remedy="rename columns, so that each has a name of its own",
        )
    absent = [name for name in names if name not in present]
    if absent:
        others = f" (and {len(absent) - 1} more are absent)" if len(absent) > 1 else ""
        raise DataError(
            "PEN107",
            f"the data have no column '{absent[0]}'{others}",
            where=f"column '{absent[0]}'",
            remedy=did_you_mean(absent[0], present),
        )


def _as_text(values: pd.Series[Any]) -> pd.Series[Any]:
    try:
        codes, distinct = pd.factorize(values)
    except TypeError:  # lists and other values that cannot be hashed
        return values.map(str, na_action="ignore").astype("str")
    words = np.array([_text_of(value) for value in distinct] + [None], dtype=object)
    return pd.Series(words[codes], index=values.index, name=values.name, dtype="str")


def _text_of(value: Hashable) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _booleans(values: pd.Series[Any], levels: list[str] | None) -> pd.Series[Any]:
    """0.0 and 1.0; the usual words are always read, so that casting twice is casting once."""
    truth = {word: 1.0 for word in _TRUE} | {word: 0.0 for word in _FALSE}
    if levels is not None:
        truth |= {levels[0].lower(): 0.0, levels[1].lower(): 1.0}
    return texts(values).str.lower().map(truth).astype("float64")


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
        pair = sorted(folded, key=lambda word: word in _TRUE)
        return "boolean", pair, f"holds only '{pair[0]}' and '{pair[1]}'"
    is_number = pd.to_numeric(words, errors="coerce").notna()
    share = float(counts[is_number].sum()) / rows
    if not words.str.fullmatch(r"0\d+").any():  # else they are codes, such as 00123
        if share == 1.0:
            return _inferred_number(numbers(known).dropna())
        if share >= 0.9 or (share >= 0.5 and (~is_number).sum() <= MOST_CODES_BESIDE_NUMBERS):
            _require_numbers(known)
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
        _require_numbers(values)
    elif role == "boolean":
        levels = _two_levels(values)
    elif role == "nominal":
        words = texts(values).dropna()
        if len(words) > FEW_ROWS and words.nunique() == len(words):
            raise DataError(
                "PEN114",
                f"column '{values.name}' is declared nominal, but each of its {len(words)} values is its own category",
                where=_place(values),
                remedy=f"leave it out with `columns: {{{values.name}: ignore}}`",
            )
    return role, levels, f"declared as {role}"  # type: ignore[return-value]


def _two_levels(values: pd.Series[Any]) -> list[str] | None:
    """[false, true] of a declared boolean; None where the usual words (yes, no, true, false, 1, 0) are read."""
    words = texts(values).dropna().str.lower()
    distinct = sorted(words.unique().tolist())
    if words.isin(_TRUE | _FALSE).mean() > 0.5 or not distinct:
        return None
    if len(distinct) != 2 or pd.to_numeric(words, errors="coerce").notna().any():
        raise DataError(
            "PEN112",
            f"column '{values.name}' is declared boolean, but holds {examples(distinct)}",
            where=_place(values),
            remedy=f"write yes and no, or 0 and 1; or declare `columns: {{{values.name}: nominal}}`",
        )
    return distinct


def _require_numbers(values: pd.Series[Any]) -> None:
    unread = values[numbers(values).isna() & values.notna()]
    strangers = texts(unread).dropna()
    if len(strangers):
        raise DataError(
            "PEN112",
            f"column '{values.name}' has mixed types: {len(strangers)} of {values.notna().sum()} values are no numbers"
            f": {examples(strangers.unique().tolist())}",
            where=_place(values),
            remedy=f"correct these values (leave unknown ones empty), or declare `columns: {{{values.name}: nominal}}`",
        )


def _require_finite(values: pd.Series[Any]) -> None:
    infinite = int(np.isinf(numbers(values)).sum())
    if infinite:
        raise DataError(
            "PEN113",
            f"column '{values.name}' holds {infinite} infinite value(s)",
            where=_place(values),
            remedy="correct them, or leave them empty where the value is unknown",
        )


def _classes(values: pd.Series[Any], problem: Problem, positive: Label | None) -> list[Label] | None:
    """The classes of the target, or None of a quantity, after the target was found fit for the problem."""
    words = texts(values).dropna()
    rows, distinct = len(words), words.nunique()
    if rows == 0:
        raise DataError(
            "PEN110",
            f"the target '{values.name}' is missing in every row",
            where=_place(values),
            remedy="name another column as `target`, or bring in its values",
        )
    if problem == "regression":
        _require_quantity(values)
    if distinct == 1:
        kind = "class" if problem == "classification" else "value"
        raise DataError(
            "PEN111",
            f"the target '{values.name}' has only one {kind}: {examples(words.unique().tolist())}",
            where=_place(values),
            remedy="there is nothing to learn; use data with at least two, or name another column as `target`",
        )
    if problem == "regression":
        return None
    read = numbers(values) if types.is_numeric_dtype(values.dtype) else None
    fractions = read is not None and bool((read.dropna() % 1 != 0).any())
    too_many = (distinct == rows and rows > 2) or (rows > FEW_ROWS and distinct > 0.5 * rows)
    if too_many or (fractions and distinct > FEW_ROWS):
        raise DataError(
            "PEN114",
            f"the target '{values.name}' has {distinct} classes in {rows} rows",
            where=_place(values),
            remedy="if it is a quantity, say `problem: regression`; if not, merge classes or name another target",
        )
    return _ordered(values, words, positive)


def _require_quantity(values: pd.Series[Any]) -> None:
    read = numbers(values)
    strangers = texts(values)[read.isna()].dropna()
    if types.is_bool_dtype(values.dtype) or len(strangers):
        shown = (strangers if len(strangers) else values).unique().tolist()
        raise DataError(
            "PEN119",
            f"a regression needs a numeric target, but '{values.name}' holds {examples(shown)}",
            where=_place(values),
            remedy="correct these values, or say `problem: classification` if they are classes",
        )
    _require_finite(values)


def _ordered(values: pd.Series[Any], words: pd.Series[Any], positive: Label | None) -> list[Label]:
    if types.is_bool_dtype(values.dtype):
        classes: list[Label] = [False, True]
    elif types.is_numeric_dtype(values.dtype):
        _require_finite(values)
        found = sorted(numbers(values).dropna().unique().tolist())
        classes = [int(label) if label.is_integer() else label for label in found]
    else:
        classes = sorted(words.unique().tolist())
    counts = words.value_counts()
    if positive is not None:
        chosen = _find(positive, classes, values)
    else:
        chosen = min(reversed(classes), key=lambda label: counts[_text_of(label)])
    if len(classes) == 2 and classes[0] == chosen:
        classes.reverse()
    return classes


def _find(positive: Label, classes: list[Label], values: pd.Series[Any]) -> Label:
    known = {_text_of(label): label for label in classes}
    word = _text_of(positive).strip()
    if word in known:
        return known[word]
    if isinstance(positive, bool):  # YAML reads an unquoted yes as true
        usual = _TRUE if positive else _FALSE
        meant = [label for text, label in known.items() if text.lower() in usual]
        if len(meant) == 1:
            return meant[0]
    raise DataError(
        "PEN120",
        f"`positive` is {examples([positive])}, which is not a class of '{values.name}'",
        where=_place(values),
        remedy=did_you_mean(word, list(known)),
    )


def _place(values: pd.Series[Any]) -> str:
    return f"column '{values.name}'"
