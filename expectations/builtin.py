"""Checks that every table goes through before anything is learnt from it: numbered, small, all of one shape.

What Great Expectations can say is asked of it, all in one validation; pandas answers what it has no expectation for.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.contract import BETWEEN, IN_SET, NOT_NULL, Finding, Rule
from penstock.components.schema import IDENTIFIER, Schema, counts_rows, texts
from penstock.errors import MAX_EXAMPLES, examples, shorten
from penstock.expectations.checks import Check, Problem, View, digests, rows_at
from penstock.expectations.plausible import ALIKE_CLASSES, IMPOSSIBLE, LINKED_ROWS, MOSTLY_EMPTY, UNREASONABLE
from penstock.expectations.suite import run_suite

UNIQUE_COUNT = "expect_column_unique_value_count_to_be_between"
MAX_TARGETS_MISSING = 0.5


def check(frame: pd.DataFrame, schema: Schema) -> list[Finding]:
    """Findings of all checks on the rows as they were read: one per problem, or one that says that all is well."""
    view = View.of(frame, schema)
    asked = [(check.code, rule) for check in CHECKS for rule in check.rules(view)]
    answers = run_suite(view.unmended, [rule for _, rule in asked], source="built-in")
    failed: dict[str, list[Finding]] = {check.code: [] for check in CHECKS}
    for (code, _), answer in zip(asked, answers, strict=True):
        if not answer["passed"]:
            failed[code].append(answer)
    return [found for check in CHECKS for found in _findings(check, check.problems(view, failed[check.code]))]


def _findings(check: Check, problems: list[Problem]) -> list[Finding]:
    shown = problems or [Problem(None, 0, 0.0, f"no {check.title}")]
    return [
        {
            "code": check.code,
            "source": "built-in",
            "rule": check.title,
            "column": problem.column,
            "passed": not problems,
            "severity": problem.severity or check.severity,
            "count": problem.count,
            "share": problem.share,
            "examples": [shorten(str(value), 60) for value in problem.examples[:MAX_EXAMPLES]],
            "message": shorten(problem.message),
            "remedy": check.remedy,
        }
        for problem in shown
    ]


def _duplicate_rows(view: View, _: list[Finding]) -> list[Problem]:
    """By pandas: Great Expectations has no rule for whole rows that leaves the first of equal ones alone."""
    named = [column.name for column in view.schema.columns if column.role not in ("key", "id")]
    names = [name for name in named if name in view.canonical]
    copies = view.canonical.duplicated(subset=names)
    count = int(copies.sum())
    if not count:
        return []
    message = f"{count} row(s) are copies of earlier ones"
    return [Problem(None, count, count / len(copies), message, rows_at(np.flatnonzero(copies)))]


def _duplicate_columns(view: View, _: list[Finding]) -> list[Problem]:
    """By pandas: Great Expectations compares two named columns, not all with all."""
    first: dict[tuple[str, bytes], str] = {}
    problems = []
    for column in view.schema.features:
        values = view.canonical[column.name]
        content = (str(values.dtype), digests(values).tobytes())
        original = first.setdefault(content, column.name)
        if original != column.name and values.notna().any():
            message = f"column '{column.name}' is a copy of column '{original}'"
            problems.append(Problem(column.name, len(values), 1.0, message))
    return problems


def _constant_rules(view: View) -> list[Rule]:
    return [_rule(UNIQUE_COUNT, column.name, min_value=2) for column in view.schema.features]


def _constant(view: View, failed: list[Finding]) -> list[Problem]:
    problems = []
    for answer in failed:
        known = view.unmended[str(answer["column"])].dropna()
        what = f"has only one value, {examples(known.unique().tolist())}" if len(known) else "has no value at all"
        problems.append(Problem(answer["column"], len(view.received), 1.0, f"column '{answer['column']}' {what}"))
    return problems


def _level_rules(view: View) -> list[Rule]:
    ordinals = [column for column in view.schema.features if column.role == "ordinal"]
    return [_rule(IN_SET, column.name, value_set=column.levels) for column in ordinals]


def _unknown_levels(view: View, failed: list[Finding]) -> list[Problem]:
    return [
        Problem(
            answer["column"],
            answer["count"],
            answer["share"],
            f"column '{answer['column']}' holds {answer['count']} value(s) that are none of its levels "
            f"{examples(view.schema.column(answer['column']).levels or [])}",
            answer["examples"],
        )
        for answer in failed
    ]


def _unreadable(view: View, _: list[Finding]) -> list[Problem]:
    """By pandas: what a date or a boolean is here (ISO 8601; yes, no, 1, 0...) no expectation knows."""
    problems = []
    for column in view.schema.columns:
        if column.role not in ("date", "time", "boolean"):
            continue
        words = texts(view.received[column.name])
        strange = words[view.canonical[column.name].isna()].dropna()
        if len(strange):
            kind = "boolean" if column.role == "boolean" else "date"
            message = f"column '{column.name}' holds {len(strange)} value(s) that are no {kind}"
            problems.append(Problem(column.name, len(strange), len(strange) / len(words), message, strange.tolist()))
    return problems


def _finite_rules(view: View) -> list[Rule]:
    most = sys.float_info.max
    numeric = [column.name for column in view.schema.features if column.role == "numeric"]
    if view.schema.quantity in view.unmended:
        numeric.append(str(view.schema.quantity))
    return [_rule(BETWEEN, name, min_value=-most, max_value=most) for name in numeric]


def _infinite(view: View, failed: list[Finding]) -> list[Problem]:
    return [
        Problem(
            answer["column"],
            answer["count"],
            answer["share"],
            f"column '{answer['column']}' holds {answer['count']} infinite value(s)",
        )
        for answer in failed
    ]


def _contradictory(view: View, _: list[Finding]) -> list[Problem]:
    """By pandas: Great Expectations has no rule on rows that agree in some columns and differ in another."""
    column = view.schema.labels
    if column not in view.canonical:
        return []
    features = view.canonical[[column.name for column in view.schema.features]]
    labels = view.canonical[column].to_numpy()
    labelled = np.flatnonzero(~pd.isna(labels))
    rows = pd.DataFrame({"same": digests(features)[labelled], "label": labels[labelled]})
    counts = rows.groupby(["same", "label"]).size()
    together = counts.groupby("same").sum()
    pairs = (together**2 - (counts**2).groupby("same").sum()) // 2
    count = int(pairs.sum())
    if not count:
        return []
    involved = rows["same"].isin(pairs[pairs > 0].index).to_numpy()
    message = f"{count} pair(s) of rows have equal features but different '{column}'"
    share = float(involved.sum()) / len(view.received)
    return [Problem(column, count, share, message, rows_at(labelled[involved]))]


def _target_rules(view: View) -> list[Rule]:
    return [_rule(NOT_NULL, name) for name in view.schema.outcomes if name in view.unmended]


def _missing_target(view: View, failed: list[Finding]) -> list[Problem]:
    return [
        Problem(
            answer["column"],
            answer["count"],
            answer["share"],
            f"the target '{answer['column']}' is missing in {answer['count']} row(s), which cannot be learnt from",
            severity="error" if answer["share"] > MAX_TARGETS_MISSING else None,
        )
        for answer in failed
    ]


def _identifiers(view: View, _: list[Finding]) -> list[Problem]:
    """By pandas: it takes the schema, and whether numbers run without a gap."""
    problems = []
    rows = len(view.received)
    for column in view.schema.columns:
        if column.role in ("id", "ignore") and column.reason.startswith(IDENTIFIER):
            message = f"column '{column.name}' is left out, {column.reason}"
        elif column.role == "numeric" and counts_rows(view.canonical[column.name]):
            message = f"column '{column.name}' counts the rows"
        else:
            continue
        problems.append(Problem(column.name, rows, 1.0, message))
    return problems


def _groups(view: View, _: list[Finding]) -> list[Problem]:
    """By pandas: the schema has seen it. Only said, since it is for people to say which rows belong together."""
    if view.schema.named("group"):
        return []
    rows = len(view.received)
    return [
        Problem(column.name, rows, 1.0, f"column '{column.name}' looks like a group: {column.reason}")
        for column in view.schema.columns
        if column.suggests == "group"
    ]


def _heavy_weights(view: View, _: list[Finding]) -> list[Problem]:
    """By pandas: Great Expectations could ask for the mean, but not say what comes of it."""
    name = view.schema.named("weight")
    mean = float(view.canonical[name].mean()) if name else 1.0
    if 0.1 <= mean <= 10:
        return []
    message = (
        f"the weights in '{name}' are {mean:.4g} on average: a row then counts as so many rows to a model's penalty"
    )
    return [Problem(name, len(view.received), 1.0, message)]


def _rule(kind: str, column: str, **kwargs: Any) -> Rule:
    return {"type": kind, "kwargs": {"column": column, **kwargs}}


# In the order in which mistakes are best looked for.
CHECKS = (
    Check(
        "CHK001",
        "unknown levels",
        "error",
        "correct the values, or add the level to the column's `ordinal` list; as it is, they count as missing",
        _unknown_levels,
        _level_rules,
    ),
    Check(
        "CHK002",
        "unreadable dates or booleans",
        "error",
        "write dates as 2024-12-31 and booleans as yes and no; as it is, they count as missing",
        _unreadable,
    ),
    Check(
        "CHK003",
        "infinite values",
        "error",
        "correct them, or leave them empty where the value is unknown",
        _infinite,
        _finite_rules,
    ),
    Check(
        "CHK004",
        "duplicate rows",
        "warning",
        "drop the copies if they are mistakes: a copy in the test rows makes scores too good",
        _duplicate_rows,
    ),
    IMPOSSIBLE,
    Check("CHK005", "duplicate columns", "warning", "leave one out with `columns: {x: ignore}`", _duplicate_columns),
    UNREASONABLE,
    MOSTLY_EMPTY,
    Check(
        "CHK006",
        "constant columns",
        "warning",
        "leave it out with `columns: {x: ignore}`: nothing can be learnt from it",
        _constant,
        _constant_rules,
    ),
    Check(
        "CHK007",
        "contradictory labels",
        "warning",
        "look at these rows: a label may be wrong, or a column that tells them apart may be absent",
        _contradictory,
    ),
    Check(
        "CHK008",
        "missing targets",
        "warning",
        "these rows are dropped; bring in their targets if you can",
        _missing_target,
        _target_rules,
    ),
    ALIKE_CLASSES,
    Check(
        "CHK009",
        "identifier-like columns",
        "warning",
        "declare it as `key` if it names the rows, or leave it out with `columns: {x: id}`",
        _identifiers,
    ),
    Check(
        "CHK010",
        "columns that look like groups",
        "warning",
        "if rows of one value belong together, name the column as `group`, or scores will be too good: rows of one "
        "group then stand on both sides of the split; if they do not, declare its role",
        _groups,
    ),
    Check(
        "CHK011",
        "weights far from 1",
        "warning",
        "divide the weights by their mean, unless each row really stands for so many",
        _heavy_weights,
    ),
    LINKED_ROWS,
)
