"""What the data are: the problem, the role of each column, and what a first run would stumble over.

Columns are looked at one by one, for their roles; of the target its name and kind, and never its relation to others.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from pydantic import BaseModel

from penstock.components.evaluation.metrics import default_metric
from penstock.components.schema import (
    Column,
    Label,
    counts_rows,
    dates,
    fewest_rows_of_a_class,
    infer_column,
    infer_schema,
    numbers,
    require_columns,
    target_type_of,
    texts,
)
from penstock.errors import DataError, UsageError, examples
from penstock.problems import find, proposals

NO_TARGET = "no column to predict was named"
FOLDS = 5
MAX_TARGETS_MISSING = 0.5
MIN_ROWS_OF_A_CLASS = 3 * FOLDS
TESTS = frozenset({"test", "testing", "holdout"})
PARTS = TESTS | {"train", "training", "learning", "validation", "valid", "val", "dev"}


class Correction(BaseModel):
    """A role that the pipeline file must declare, since the values alone would stop the run or mislead it."""

    role: str
    why: str


class Found(BaseModel):
    """`corrections` are by column. `classes`: of two, the positive one last. `published`: a split that came along."""

    rows: int
    problem: str
    why: str
    target: str | None
    classes: list[Label] | None
    positive: Label | None
    key: str | None
    group: str | None
    columns: list[Column]
    corrections: dict[str, Correction]
    metric: str | None
    fits: int
    stratify: bool
    most_targets_missing: bool
    published: dict[str, str] | None


def look(frame: pd.DataFrame, target: str | None = None, problem: str | None = None) -> Found:
    """Raises a DataError where no pipeline file could make the data fit to learn from."""
    names = [target] if target is not None else []
    require_columns(frame, names)
    kind, why = _problem(frame, target, problem)
    asked = find(kind)
    columns: list[Column] = []
    corrections: dict[str, Correction] = {}
    published = None
    for name in frame.columns:
        if name == target:
            continue
        column, correction = _column(frame[name])
        columns.append(column)
        if column.role == "nominal" and (test := _test_part(frame[name])):
            published = {"column": column.name, "test": test}
            correction = Correction(role="ignore", why="names the parts of a published split, see `split.given`")
        if correction:
            corrections[column.name] = correction
    key = next((one.name for one in columns if one.role == "id" and one.name not in corrections), None)
    group = _group(frame, columns)
    roles = {name: correction.role for name, correction in corrections.items()}
    schema = infer_schema(
        frame,
        problem=kind,
        target_type=asked.target_type,
        proposals=proposals(),
        target=target,
        key=key,
        group=group,
        roles=roles,
    )
    return Found(
        published=published,
        rows=len(frame),
        problem=kind,
        why=why,
        target=target,
        classes=schema.classes,
        positive=schema.positive,
        key=key,
        group=group,
        columns=columns,
        corrections=corrections,
        metric=default_metric(len(schema.classes or [])) if schema.outcomes else None,
        fits=budget(len(frame), len(schema.features), kind),
        stratify=fewest_rows_of_a_class(frame, schema) >= MIN_ROWS_OF_A_CLASS,
        most_targets_missing=target is not None and bool(texts(frame[target]).isna().mean() > MAX_TARGETS_MISSING),
    )


def _problem(frame: pd.DataFrame, target: str | None, problem: str | None) -> tuple[str, str]:
    if problem is None:
        found, why = (None, NO_TARGET) if target is None else target_type_of(frame[target])
        return proposals()[found], why
    asked = find(problem, where="--problem")
    if target is None and "data.target" in asked.requires:
        raise UsageError(
            "PEN004",
            f"a {problem} needs a target, the column to predict",
            where="--target",
            remedy=f"add `--target` and one of the columns: {examples(frame.columns)}",
        )
    return problem, "as it was asked for"


def _column(values: pd.Series[Any]) -> tuple[Column, Correction | None]:
    try:
        column = infer_column(values)
    except DataError as fault:
        return _mended(values, fault.what.removeprefix(f"column '{values.name}' ").removeprefix("has mixed types: "))
    if column.role == "date":
        strange = texts(values)[dates(values).isna()].dropna()
        if len(strange):
            return _mended(values, f"{len(strange)} values are no dates: {examples(strange.unique().tolist())}")
    if column.role == "numeric" and counts_rows(numbers(values)):
        return column, Correction(role="id", why="it counts the rows")
    return column, None


def _test_part(values: pd.Series[Any]) -> str | None:
    """What the test rows are called, where the column holds nothing but names of parts."""
    words = texts(values).dropna().unique().tolist()
    tests = [word for word in words if word.lower() in TESTS]
    return str(tests[0]) if len(tests) == 1 < len(words) and {word.lower() for word in words} <= PARTS else None


def _mended(values: pd.Series[Any], fault: str) -> tuple[Column, Correction]:
    """A role in which the column does no harm until its values are put right."""
    words = texts(values)
    role = "nominal" if words.nunique() <= 0.5 * words.notna().sum() else "ignore"
    why = f"{fault}. Correct them, or leave them empty, and delete this line"
    column = Column(name=str(values.name), role=role, reason=fault)  # type: ignore[arg-type]
    return column, Correction(role=role, why=why)


def _group(frame: pd.DataFrame, columns: list[Column]) -> str | None:
    """Of several, the one with the fewest values: its groups are the larger ones, and hold those of others best."""
    candidates = [column.name for column in columns if column.suggests == "group"]
    return min(candidates, key=lambda name: frame[name].nunique(), default=None)


def budget(rows: int, features: int, problem: str) -> int:
    """Fits that end in minutes on a laptop; four candidates on five folds are the least for the usual models."""
    if not find(problem).cross_validated:
        return 30
    cells = rows * features
    return 60 if cells <= 200_000 else 40 if cells <= 1_000_000 else 20
