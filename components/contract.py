"""The data contract that travels with a model: a suite compiled to vectorised checks, and findings in words.

Every check gives the verdict and the count that Great Expectations gives for the same rule, at a small part of its
cost, so that it can run at every scoring.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from penstock.components.schema import Schema, dates
from penstock.errors import MOST_EXAMPLES, shorten

Rule = dict[str, Any]
Finding = dict[str, Any]

EXISTS = "expect_column_to_exist"
OF_TYPE = "expect_column_values_to_be_of_type"
NOT_NULL = "expect_column_values_to_not_be_null"
BETWEEN = "expect_column_values_to_be_between"
IN_SET = "expect_column_values_to_be_in_set"
LENGTHS = "expect_column_value_lengths_to_be_between"
BOUNDS = ("min_value", "max_value")
NATIVE_TYPES: dict[str, type] = {"bool": bool, "int": int, "float": float, "str": str}


@dataclass(frozen=True)
class Verdict:
    """`count` values of the `considered` ones break the rule; `reason` says why a rule could not be judged."""

    passed: bool
    count: int
    considered: int
    examples: Sequence[object] = ()
    reason: str = ""


def compile_suite(rules: Iterable[Rule], schema: Schema) -> dict[str, Any]:
    """The rules that can be checked at scoring, where only features are there; the others, each with the reason."""
    features = {column.name for column in schema.features}
    compiled: list[Rule] = []
    left: list[Rule] = []
    for rule in rules:
        reason = _why_not(rule, features)
        if reason:
            left.append(rule | {"reason": reason})
        else:
            compiled.append(rule)
    return {"version": 1, "rules": compiled, "not_compiled": left}


def check_contract(
    frame: pd.DataFrame, contract: dict[str, Any], *, received: pd.DataFrame | None = None
) -> list[Finding]:
    """Judge rows by the contract. `frame` is in canonical form; written rules speak of the rows as `received`."""
    tables = {False: _Table(frame), True: _Table(frame if received is None else received)}
    findings = []
    for rule in applicable(contract["rules"], len(frame)):
        source = source_of(rule)
        findings.append(finding(rule, _judge(rule, tables[source == "written"]), source))
    return findings


def breaches(findings: Iterable[Finding]) -> list[Finding]:
    return [found for found in findings if not found["passed"]]


def applicable(rules: Iterable[Rule], rows: int) -> list[Rule]:
    """Leave out shares that mean nothing on so few rows: one missing value of one is no flood."""
    return [rule for rule in rules if rows >= rule.get("meta", {}).get("rows_at_least", 0)]


def compares_dates(rule: Rule) -> bool:
    """Rules are JSON and say dates as text; the column may hold texts as well, as in a CSV file."""
    return rule["type"] == BETWEEN and any(isinstance(rule["kwargs"].get(key), str) for key in BOUNDS)


def source_of(rule: Rule) -> str:
    return str(rule.get("meta", {}).get("source", "written"))


def finding(rule: Rule, verdict: Verdict, source: str) -> Finding:
    kwargs = rule["kwargs"]
    column = kwargs.get("column")
    code, phrase = WORDS.get(rule["type"], OTHER_WORDS)
    place = f"column '{column}'" if column else "the table"
    phrase = phrase.format_map(_Bounds(kwargs, type=rule["type"]))
    if verdict.reason:
        message = f"{place}: {verdict.reason}"
    elif rule["type"] in WORDS and rule["type"] not in (EXISTS, OF_TYPE):
        allowed = 1 - float(kwargs.get("mostly", 1.0))
        message = f"{place}: {verdict.count} of {verdict.considered} values {phrase}; at most {allowed:.2%} may"
    else:
        message = f"{place} {'keeps' if verdict.passed else 'breaks'} the rule {phrase}"
    return {
        "code": code,
        "source": source,
        "rule": rule["type"],
        "column": column,
        "passed": verdict.passed,
        "severity": rule.get("meta", {}).get("severity", "error"),
        "count": verdict.count,
        "share": verdict.count / verdict.considered if verdict.considered else 0.0,
        "examples": [shorten(str(value), 60) for value in verdict.examples[:MOST_EXAMPLES]],
        "message": shorten(message),
        "remedy": "correct the data, or the rule in the suite's file"
        if source == "written"
        else "correct the data at their source; if they have really changed, train a new model on them",
    }


WORDS: dict[str, tuple[str, str]] = {
    EXISTS: ("CHK020", "that it is there"),
    OF_TYPE: ("CHK021", "that it is of type {type_}"),
    NOT_NULL: ("CHK022", "are missing"),
    BETWEEN: ("CHK023", "lie outside of {min_value} to {max_value}"),
    IN_SET: ("CHK024", "are none of {value_set}"),
    LENGTHS: ("CHK025", "are not {min_value} to {max_value} characters long"),
    "expect_column_values_to_not_be_in_set": ("CHK026", "are one of {value_set}"),
    "expect_column_values_to_be_unique": ("CHK027", "occur more than once"),
    "expect_column_values_to_match_regex": ("CHK028", "do not match {regex}"),
    "expect_column_values_to_not_match_regex": ("CHK029", "match {regex}"),
}
OTHER_WORDS = ("CHK030", "{type}")


class _Bounds(dict[str, Any]):
    """What a rule says, for a sentence; what it leaves open is 'any'."""

    def __init__(self, kwargs: dict[str, Any], **more: Any) -> None:
        super().__init__({key: _short(value) for key, value in (kwargs | more).items() if value is not None})

    def __missing__(self, key: str) -> str:
        return "any"


def _short(value: object) -> object:
    if isinstance(value, list) and len(value) > MOST_EXAMPLES:
        return f"{', '.join(map(str, value[:MOST_EXAMPLES]))} and {len(value) - MOST_EXAMPLES} more"
    return ", ".join(map(str, value)) if isinstance(value, list) else value


class _Table:
    """Columns without their missing values, each worked out once."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame
        self._known: dict[tuple[str, bool], pd.Series[Any]] = {}

    def known(self, name: str, *, as_dates: bool = False) -> pd.Series[Any]:
        if (name, as_dates) not in self._known:
            values = dates(self.frame[name]) if as_dates else self.frame[name]
            missing = values.isna()
            self._known[name, as_dates] = values[~missing] if missing.any() else values
        return self._known[name, as_dates]


def _why_not(rule: Rule, features: set[str]) -> str:
    kwargs = rule["kwargs"]
    if rule["type"] not in (EXISTS, OF_TYPE, NOT_NULL, *_GOOD):
        return "this type of rule is checked when training, not when scoring"
    if kwargs.get("column") not in features:
        return "the column is no feature, so it is not there when scoring"
    if rule["type"] == OF_TYPE and not _named_types(kwargs["type_"]):
        return f"the type '{kwargs['type_']}' is not known to numpy"
    return ""


def _judge(rule: Rule, table: _Table) -> Verdict:
    kind, kwargs, rows = rule["type"], rule["kwargs"], len(table.frame)
    name = kwargs["column"]
    if name not in table.frame.columns:
        return Verdict(False, rows, rows, reason="the data have no such column")
    if kind == EXISTS:
        return Verdict(True, 0, rows)
    mostly = float(kwargs.get("mostly", 1.0))
    if kind == NOT_NULL:
        return _share(rows - len(table.known(name)), rows, mostly)
    if kind == OF_TYPE:
        dtype, wanted = table.frame[name].dtype, _named_types(kwargs["type_"])
        if not types.is_object_dtype(dtype) or np.object_ in wanted:  # else its values are looked at one by one
            passed = dtype.type in wanted
            return Verdict(passed, 0 if passed else rows, rows)
    known = table.known(name, as_dates=compares_dates(rule))
    try:
        bad = known[~np.asarray(_GOOD[kind](known, kwargs), dtype=bool)]
    except (TypeError, ValueError, re.error) as error:
        return Verdict(False, rows, rows, reason=f"the rule cannot be checked: {error}")
    return _share(len(bad), len(known), mostly, bad.iloc[:MOST_EXAMPLES].tolist())


def _share(bad: int, considered: int, mostly: float, examples: Sequence[object] = ()) -> Verdict:
    passed = considered == 0 or (considered - bad) / considered >= mostly
    return Verdict(passed, bad, considered, examples)


def _named_types(name: str) -> tuple[type, ...]:
    native = (NATIVE_TYPES[name],) if name in NATIVE_TYPES else ()
    try:
        return (np.dtype(name).type, *native)
    except TypeError:
        return native


def _of_type(known: pd.Series[Any], kwargs: dict[str, Any]) -> Any:
    wanted = _named_types(kwargs["type_"])
    return known.map(lambda value: isinstance(value, wanted))


def _between(known: pd.Series[Any], kwargs: dict[str, Any]) -> Any:
    low, high = kwargs.get("min_value"), kwargs.get("max_value")
    if types.is_datetime64_any_dtype(known.dtype):
        low, high = (None if bound is None else pd.Timestamp(bound) for bound in (low, high))
    if low is not None and high is not None and low > high:
        raise ValueError("min_value is greater than max_value")
    good = np.ones(len(known), dtype=bool)
    if low is not None:
        good &= np.asarray(known > low if kwargs.get("strict_min") else known >= low)
    if high is not None:
        good &= np.asarray(known < high if kwargs.get("strict_max") else known <= high)
    return good


def _lengths(known: pd.Series[Any], kwargs: dict[str, Any]) -> Any:
    return _between(known.astype(str).str.len(), kwargs)


def _matches(known: pd.Series[Any], kwargs: dict[str, Any]) -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "This pattern is interpreted as a regular expression", UserWarning)
        return np.asarray(known.astype(str).str.contains(kwargs["regex"]), dtype=bool)


_GOOD: dict[str, Callable[[pd.Series[Any], dict[str, Any]], Any]] = {
    OF_TYPE: _of_type,
    BETWEEN: _between,
    IN_SET: lambda known, kwargs: known.isin(kwargs["value_set"]),
    LENGTHS: _lengths,
    "expect_column_values_to_not_be_in_set": lambda known, kwargs: ~known.isin(kwargs["value_set"]),
    "expect_column_values_to_be_unique": lambda known, kwargs: ~known.duplicated(keep=False),
    "expect_column_values_to_match_regex": _matches,
    "expect_column_values_to_not_match_regex": lambda known, kwargs: ~_matches(known, kwargs),
}
