"""What a schema is: the columns of the data, and what each is used as."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, get_args

import pandas as pd
from pydantic import BaseModel, ConfigDict

from penstock.components.targets import TargetType
from penstock.errors import DataError, did_you_mean, examples, shorten

ROW_ID = "_row_id"
SEPARATORS = ",;\t| :/~^"

FeatureRole = Literal["numeric", "nominal", "ordinal", "boolean", "date", "text"]
Role = Literal[FeatureRole, "id", "group", "time", "weight", "ignore", "target", "key"]
Scale = Literal["interval", "ratio"]
Suggestion = Literal["group", "time", "weight"]
Label = bool | int | float | str


class Column(BaseModel):
    """One column, what it is used as, and why.

    `levels`: of an ordinal in rising order, of a boolean [false, true]. `scale`: of a numeric column; ratio where zero
    means none. `suggests`: what it looks like, but is only used as when somebody says so.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    role: Role
    levels: list[str] | None = None
    scale: Scale | None = None
    suggests: Suggestion | None = None
    reason: str


class Schema(BaseModel):
    """All columns of the data. `classes` of two: [negative, positive].

    `target` is what is predicted. Where nothing is, a column of the role target is a known grouping that only the
    finished answer is compared with.
    """

    model_config = ConfigDict(frozen=True)

    columns: list[Column]
    problem: str
    target: str | None = None
    classes: list[Label] | None = None

    @property
    def supervised(self) -> bool:
        return self.target is not None

    @property
    def target_type(self) -> TargetType | None:
        if self.target is None:
            return None
        return "quantity" if self.classes is None else "classes"

    @property
    def positive(self) -> Label | None:
        """The class that a classifier of two finds."""
        return self.classes[1] if self.classes and len(self.classes) == 2 else None

    @property
    def quantity(self) -> str | None:
        """The target, where it is a number."""
        return self.target if self.classes is None else None

    @property
    def labels(self) -> str | None:
        """The target, where it holds classes."""
        return None if self.classes is None else self.target

    @property
    def outcomes(self) -> list[str]:
        """The columns that are only known afterwards: the target, where something is predicted."""
        return [] if self.target is None else [self.target]

    @property
    def known_grouping(self) -> str | None:
        """The column that only the finished answer is compared with, where nothing is predicted."""
        return self.named("target") if self.target is None else None

    @property
    def features(self) -> list[Column]:
        return [column for column in self.columns if column.role in get_args(FeatureRole)]

    def named(self, role: Role) -> str | None:
        """The name of the column with this role: the group, the weight..."""
        return next((column.name for column in self.columns if column.role == role), None)

    def column(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)


def require_columns(frame: pd.DataFrame, names: Sequence[str], *, target: str | None = None) -> None:
    present = [str(name) for name in frame.columns]
    twice = sorted(name for name, count in Counter(present).items() if count > 1)
    if twice:
        raise DataError(
            "PEN106",
            f"{len(twice)} column name(s) occur more than once: {examples(twice)}",
            where="header",
            remedy="rename columns, so that each has a name of its own",
        )
    known = set(present)
    absent = [name for name in names if name not in known]
    if absent:
        others = f" (and {len(absent) - 1} more are absent)" if len(absent) > 1 else ""
        raise DataError(
            "PEN127" if absent[0] == target else "PEN107",
            f"the data have no column '{absent[0]}'{others}",
            where=f"column '{absent[0]}'",
            remedy=_other_separator(absent[0], present) or did_you_mean(absent[0], present),
        )


def _other_separator(name: str, present: Sequence[str]) -> str | None:
    """Where the one column there is holds the name among others, the file was cut by the wrong mark."""
    if len(present) != 1:
        return None
    parts = {mark: [part.strip(' "') for part in present[0].split(mark)] for mark in SEPARATORS if mark in present[0]}
    mark = next((mark for mark, names in parts.items() if name in names), None)
    if mark is None:
        return None
    written = "\\t" if mark == "\t" else mark
    return (
        f"all of {shorten(repr(present[0]), 100)} was taken for one name: say what separates the values, `data: "
        f'{{reading: {{delimiter: "{written}"}}}}` in the pipeline file, or `--reading "delimiter={written}"` to init '
        "and score"
    )


def refuse_truth(frame: pd.DataFrame, schema: Schema) -> None:
    """What finds groups must not see the column that they are compared with afterwards."""
    truth = schema.known_grouping
    if truth in frame.columns:
        raise DataError(
            "PEN320",
            f"the rows of a {schema.problem} still hold '{truth}', which it must not see",
            where=f"column '{truth}'",
            remedy="take the column out of the rows; it is compared with the answer, and with nothing before",
        )


def place(values: pd.Series[Any]) -> str:
    return f"column '{values.name}'"
