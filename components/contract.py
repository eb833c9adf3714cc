"""The data contract that travels with a model: a suite compiled to vectorised checks, and findings in words.

Every check gives the verdict and the count that Great Expectations gives for the same rule, at a small part of its
cost, so that it can run at every scoring.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api import types

from penstock.components.schema import Schema, beyond_numbers, dates, numbers
from penstock.errors import MAX_EXAMPLES, shorten

Rule = dict[str, Any]
Finding = dict[str, Any]

EXISTS = "expect_column_to_exist"
OF_TYPE = "expect_column_values_to_be_of_type"
NOT_NULL = "expect_column_values_to_not_be_null"
BETWEEN = "expect_column_values_to_be_between"
IN_SET = "expect_column_values_to_be_in_set"
LENGTHS = "expect_column_value_lengths_to_be_between"
BUILT_IN = "built-in"
FINITE = "values_are_finite"
TABLE = "table"
MAX_INFINITE = 0.05  # of a batch, where its rows are not dealt with one by one
BOUNDS = ("min_value", "max_value")
NATIVE_TYPES: dict[str, type] = {"bool": bool, "int": int, "float": float, "str": str}


@dataclass(frozen=True)
class Verdict:
    """`count` values of the `considered` ones break the rule; `reason` says why a rule could not be judged.

    `rows`: the positions of the rows that break it; None where a rule speaks of the whole column, such as of its type.
    """

    passed: bool
    count: int
    considered: int
    examples: Sequence[object] = ()
    reason: str = ""
    rows: NDArray[np.intp] | None = None


def compile_suite(rules: Iterable[Rule], schema: Schema, policies: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The rules that can be checked at scoring, where only features are there; the others, each with the reason.

    `policies`: what becomes of rows that break them, if anything else than that the batch is rejected.
    """
    features = {column.name for column in schema.features}
    compiled: list[Rule] = []
    left: list[Rule] = []
    for rule in rules:
        reason = _why_not(rule, features)
        if reason:
            left.append(rule | {"reason": reason})
        else:
            compiled.append(rule)
    declared = {"policies": dict(policies)} if policies else {}
    return {"version": 1, "rules": compiled, "not_compiled": left, **declared}


def of_table(rule: Rule, table: str) -> Rule:
    """A rule of another table than the first."""
    return rule | {"meta": {**rule["meta"], TABLE: table}}


def table_of(rule: Rule) -> str:
    """The table that a rule is of; the first has no name."""
    return str(rule.get("meta", {}).get(TABLE, ""))


def of_first_table(rules: Iterable[Rule]) -> list[Rule]:
    """A model predicts for rows of the first table."""
    return [rule for rule in rules if not table_of(rule)]


def finite_rules(schema: Schema) -> list[Rule]:
    """What is asked of the numbers of every batch, whatever the suite: that models can compute with them."""
    numeric = [column.name for column in schema.features if column.role == "numeric"]
    kwargs = [{"column": name, "mostly": 1 - MAX_INFINITE} for name in numeric]
    return [{"type": FINITE, "kwargs": one, "meta": {"source": BUILT_IN}} for one in kwargs]


def check_contract(
    frame: pd.DataFrame, contract: dict[str, Any], *, received: pd.DataFrame | None = None
) -> list[Finding]:
    """Judge rows by the contract. `frame` is in canonical form; written rules speak of the rows as `received`."""
    rules = applicable(contract["rules"], len(frame))
    return [
        finding(rule, verdict, source_of(rule))
        for rule, verdict in zip(rules, verdicts(rules, frame, received), strict=True)
    ]


def verdicts(rules: Iterable[Rule], frame: pd.DataFrame, received: pd.DataFrame | None = None) -> list[Verdict]:
    """The verdict on each rule, however few the rows."""
    tables = {False: _Table(frame), True: _Table(frame if received is None else received)}
    return [_judge(rule, tables[speaks_of_received(rule)]) for rule in rules]


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


def speaks_of_received(rule: Rule) -> bool:
    """Whether it is judged by the rows as they came; a learnt rule is judged by their canonical form."""
    return source_of(rule) != "learnt"


def finding(rule: Rule, verdict: Verdict, source: str) -> Finding:
    kwargs = rule["kwargs"]
    column = kwargs.get("column")
    code, phrase = words_of(rule)
    table = table_of(rule)
    place = f"column '{column}'" if column else "the table"
    place = f"table '{table}', {place}" if table else place
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
        "examples": [shorten(str(value), 60) for value in verdict.examples[:MAX_EXAMPLES]],
        "message": shorten(message),
        "remedy": "correct the data, or the rule in the suite's file"
        if source == "written"
        else "correct the data at their source; if they have really changed, train a new model on them",
    }


def words_of(rule: Rule) -> tuple[str, str]:
    """The rule's code, and what is said of values that break it."""
    code, phrase = WORDS.get(rule["type"], OTHER_WORDS)
    said = {key: _short(value) for key, value in rule["kwargs"].items() if value is not None}
    for bound, other in (BOUNDS, BOUNDS[::-1]):
        if bound in said and other not in said:
            phrase = ONE_SIDED.get((rule["type"], bound), phrase)
    return code, phrase.format_map(_Open(said | {"type": rule["type"]}))


WORDS: dict[str, tuple[str, str]] = {
    EXISTS: ("CHK020", "that it is there"),
    OF_TYPE: ("CHK021", "that it is of type {type_}"),
    NOT_NULL: ("CHK022", "are missing"),
    BETWEEN: ("CHK023", "lie outside of {min_value} to {max_value}"),
    IN_SET: ("CHK024", "are none of {value_set}"),
    LENGTHS: ("CHK025", "are not {min_value} to {max_value} characters long"),
    FINITE: ("CHK003", "are infinite or too large for a model"),
    "expect_column_values_to_not_be_in_set": ("CHK026", "are one of {value_set}"),
    "expect_column_values_to_be_unique": ("CHK027", "occur more than once"),
    "expect_column_values_to_match_regex": ("CHK028", "do not match {regex}"),
    "expect_column_values_to_not_match_regex": ("CHK029", "match {regex}"),
}
OTHER_WORDS = ("CHK030", "{type}")


ONE_SIDED = {
    (BETWEEN, "min_value"): "lie below {min_value}",
    (BETWEEN, "max_value"): "lie above {max_value}",
    (LENGTHS, "min_value"): "are shorter than {min_value} characters",
    (LENGTHS, "max_value"): "are longer than {max_value} characters",
}


class _Open(dict[str, Any]):
    """What a rule says, for a sentence; what it leaves open is 'any'."""

    def __missing__(self, key: str) -> str:
        return "any"


def _short(value: object) -> object:
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, list) and len(value) > MAX_EXAMPLES:
        return f"{', '.join(map(str, value[:MAX_EXAMPLES]))} and {len(value) - MAX_EXAMPLES} more"
    return ", ".join(map(str, value)) if isinstance(value, list) else value


class _Table:
    """Columns without their missing values, each worked out once."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame
        self._known: dict[tuple[str, bool], tuple[pd.Series[Any], NDArray[np.bool_]]] = {}

    def known(self, name: str, *, as_dates: bool = False) -> pd.Series[Any]:
        return self._look(name, as_dates)[0]

    def present(self, name: str, *, as_dates: bool = False) -> NDArray[np.bool_]:
        return self._look(name, as_dates)[1]

    def _look(self, name: str, as_dates: bool) -> tuple[pd.Series[Any], NDArray[np.bool_]]:
        if (name, as_dates) not in self._known:
            values = dates(self.frame[name]) if as_dates else self.frame[name]
            present = values.notna().to_numpy()
            self._known[name, as_dates] = (values if present.all() else values[present], present)
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
    if kind == NOT_NULL:
        bad = np.flatnonzero(~table.present(name))
        return Verdict(keeps(rule, len(bad), rows), len(bad), rows, rows=bad)
    if kind == OF_TYPE:
        dtype, wanted = table.frame[name].dtype, _named_types(kwargs["type_"])
        if not types.is_object_dtype(dtype) or np.object_ in wanted:  # else its values are looked at one by one
            passed = dtype.type in wanted
            return Verdict(passed, 0 if passed else rows, rows)
    known = table.known(name, as_dates=compares_dates(rule))
    try:
        bad = np.flatnonzero(~np.asarray(_GOOD[kind](known, kwargs), dtype=bool))
    except (TypeError, ValueError, re.error) as error:
        return Verdict(False, rows, rows, reason=f"the rule cannot be checked: {error}")
    some = known.iloc[bad[:MAX_EXAMPLES]].tolist()
    if len(bad) and len(known) < rows:
        bad = np.flatnonzero(table.present(name, as_dates=compares_dates(rule)))[bad]
    return Verdict(keeps(rule, len(bad), len(known)), len(bad), len(known), some, rows=bad)


def keeps(rule: Rule, bad: int, considered: int) -> bool:
    """Whether so many of the considered values may break the rule."""
    return considered == 0 or (considered - bad) / considered >= float(rule["kwargs"].get("mostly", 1.0))


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
    FINITE: lambda known, kwargs: ~beyond_numbers(numbers(known)),
    "expect_column_values_to_not_be_in_set": lambda known, kwargs: ~known.isin(kwargs["value_set"]),
    "expect_column_values_to_be_unique": lambda known, kwargs: ~known.duplicated(keep=False),
    "expect_column_values_to_match_regex": _matches,
    "expect_column_values_to_not_match_regex": lambda known, kwargs: ~_matches(known, kwargs),
}
