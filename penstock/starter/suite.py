"""The text of a first written suite: what the rows look like today, loosely, for people to tighten."""

from __future__ import annotations

import math
import sys
from typing import Any

import pandas as pd
from pandas.api import types

from penstock.components.contract import BETWEEN, IN_SET, NOT_NULL, Rule
from penstock.components.schema import Column, texts
from penstock.starter.look import Found
from penstock.starter.pipeline import yaml_of

MAX_LEVELS = 20
MARGIN = 0.5
MOSTLY = 0.99
MORE_MISSING = 0.1
MIN_SHARE = 0.1
MIN_ROWS = 50
COLUMNS = "expect_table_columns_to_match_set"
UNIQUE = "expect_column_values_to_be_unique"
TYPES = "expect_column_values_to_be_in_type_list"


def suite_text(frame: pd.DataFrame, found: Found, *, source: str, file: str) -> str:
    """Rules with a comment above those of each column. The data that they were made from keep them all."""
    used = [column for column in found.columns if _role(column, found) not in ("ignore", "id", "key")]
    names = [column.name for column in used] + [name for name in (found.key, found.target) if name is not None]
    source, file = (" ".join(name.split()) for name in (source, file))
    parts = [
        f"""\
# What rows of {source} must look like, begun by `penstock init` from {found.rows:,} rows and yours to edit.
# {file} names this file, and every run checks it before anything is learnt. A rule is one of Great Expectations:
# its type and its kwargs. `mostly` is the share of values that must keep it. `severity: warning` only tells.
# `meta: {{rows_at_least: {MIN_ROWS}}}` leaves a rule out where fewer rows come, as when one row is scored.
""",
        _block("the columns that the pipeline uses", [_rule(COLUMNS, column_set=names, exact_match=False)]),
    ]
    if found.key:
        rules = [_rule(NOT_NULL, column=found.key), _rule(UNIQUE, column=found.key)]
        parts.append(_block(f"{found.key}: names the rows", rules))
    if found.target is not None:
        parts.append(_target(frame[found.target], found))
    parts += [_column(frame[column.name], column, _role(column, found)) for column in used]
    return "\n".join(parts)


def _role(column: Column, found: Found) -> str:
    if column.name in (found.key, found.group):
        return "key" if column.name == found.key else "group"
    correction = found.corrections.get(column.name)
    return correction.role if correction else column.role


def _target(values: pd.Series[Any], found: Found) -> str:
    missing = float(texts(values).isna().mean())
    rules = _not_null(values, missing)
    if found.classes and len(found.classes) <= MAX_LEVELS:
        rules.append(_in_set(values))
    return _block(f"{found.target}: the target{_seen_missing(missing)}", rules)


def _column(values: pd.Series[Any], column: Column, role: str) -> str:
    missing = float(values.isna().mean())
    rules, seen = _not_null(values, missing), ""
    if role == "numeric" and types.is_numeric_dtype(values.dtype):
        low, high = float(values.min()), float(values.max())
        seen = f", seen from {low:g} to {high:g}"
        kinds = sorted({"int64", "float64", str(values.dtype)})
        rules.append(_rule(TYPES, column=column.name, type_list=kinds))
        rules.append(_between(column, low, high))
    elif role in ("nominal", "ordinal") and values.nunique() <= MAX_LEVELS:
        rules.append(_in_set(values))
    elif role == "date" and not types.is_datetime64_any_dtype(values.dtype):
        known = texts(values).dropna()
        seen = f", seen from {known.min()} to {known.max()}"
    return _block(f"{column.name}: {column.scale or role}{seen}{_seen_missing(missing)}", rules)


def _not_null(values: pd.Series[Any], missing: float) -> list[Rule]:
    """As complete as seen, with room for more; no rule where nearly all may be missing."""
    if not missing:
        return [_rule(NOT_NULL, column=str(values.name), mostly=MOSTLY)]
    mostly = math.floor(100 * (1 - missing - max(MORE_MISSING, 0.5 * missing))) / 100
    rule = _rule(NOT_NULL, column=str(values.name), mostly=mostly) | {"meta": {"rows_at_least": MIN_ROWS}}
    return [rule] if mostly >= MIN_SHARE else []


def _in_set(values: pd.Series[Any]) -> Rule:
    """The values as they were read, before any is mended."""
    levels = [value.item() if hasattr(value, "item") else value for value in values.dropna().unique()]
    return _rule(IN_SET, column=str(values.name), value_set=sorted(levels, key=str), mostly=MOSTLY)


def _between(column: Column, low: float, high: float) -> Rule:
    width = MARGIN * ((high - low) or abs(high) or 1.0)
    least = 0 if column.scale == "ratio" else _rounded(low - width, down=True)
    most = _rounded(high + width, down=False)
    return _rule(BETWEEN, column=column.name, min_value=least, max_value=most, mostly=MOSTLY)


def _rounded(number: float, *, down: bool) -> float:
    """Two digits that people can read, on the loose side."""
    if number == 0 or not math.isfinite(number):
        return max(-sys.float_info.max, min(sys.float_info.max, number))
    step = 10.0 ** (math.floor(math.log10(abs(number))) - 1)
    loose = float(f"{(math.floor if down else math.ceil)(number / step) * step:.6g}")
    return int(loose) if loose.is_integer() and abs(loose) < 1e15 else loose


def _seen_missing(missing: float) -> str:
    return f", {missing:.1%} missing" if missing else ""


def _block(heading: str, rules: list[Rule]) -> str:
    lines = [f"# {' '.join(heading.split())}", *(f"- {yaml_of(rule)}" for rule in rules)]
    return "\n".join(lines) + "\n"


def _rule(kind: str, **kwargs: Any) -> Rule:
    return {"type": kind, "kwargs": kwargs}
