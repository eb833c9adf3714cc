"""What a check of the leakage certificate is, and the rows as the checks see them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from penstock.components.schema import ROW_ID, Column, Schema, encode_target
from penstock.errors import MAX_EXAMPLES, shorten

Array = np.ndarray[Any, Any]
Outcome = Literal["passed", "found", "not applicable"]
Severity = Literal["error", "warning", "note"]

CHANCE = 0.001
"""Probability that a check which counts rows finds something where there is nothing."""


@dataclass(frozen=True)
class Sides:
    """The rows on both sides of the split. `test` has no target: no check may look at that.

    `folds`: positions of the training and validation rows, fold by fold. `ordered`: the split goes by time.
    `within`: the column whose members are meant to stand on both sides. `alone`: how well each column alone predicts
    the target of the training rows, as the analysis found.
    """

    train: pd.DataFrame
    test: pd.DataFrame
    schema: Schema
    seed: int
    folds: Sequence[tuple[Array, Array]] = ()
    ordered: bool = False
    within: str | None = None
    alone: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.schema.target in self.test:
            object.__setattr__(self, "test", self.test.drop(columns=self.schema.target))

    @cached_property
    def y(self) -> NDArray[Any] | None:
        """The target of the training rows: codes of classes, or a quantity."""
        target = self.schema.target
        return None if target is None else encode_target(self.train[target], self.schema)

    @property
    def features(self) -> list[str]:
        return [column.name for column in self.schema.features]

    def suggested(self, role: str) -> list[Column]:
        """Columns that look like a group or a time, but are not declared as such."""
        return [column for column in self.schema.columns if column.suggests == role and column.role != role]

    def ids(self, positions: Array, test: bool = False) -> list[str]:
        frame = self.test if test else self.train
        return [str(frame[ROW_ID].iloc[position]) for position in positions[:MAX_EXAMPLES]]


@dataclass(frozen=True)
class Seen:
    """What a check saw. `severity`: where it is not the check's own."""

    outcome: Outcome
    message: str
    columns: list[str] = field(default_factory=list)
    count: int = 0
    examples: Sequence[object] = ()
    numbers: dict[str, float] = field(default_factory=dict)
    severity: Severity | None = None


@dataclass(frozen=True)
class Check:
    """One numbered question. An error voids the score; a warning may; a note is good to know."""

    code: str
    title: str
    severity: Severity
    remedy: str
    look: Callable[[Sides], Seen]

    def run(self, sides: Sides) -> dict[str, Any]:
        return self.tell(self.look(sides))

    def tell(self, seen: Seen) -> dict[str, Any]:
        found = seen.outcome == "found"
        return {
            "code": self.code,
            "title": self.title,
            "outcome": seen.outcome,
            "severity": (seen.severity or self.severity) if found else None,
            "message": shorten(seen.message),
            "columns": seen.columns,
            "count": seen.count,
            "examples": [shorten(str(example), 80) for example in seen.examples[:MAX_EXAMPLES]],
            "numbers": {name: round(float(value), 6) for name, value in seen.numbers.items()},
            "remedy": self.remedy if found else "",
        }


def passed(message: str, **numbers: float) -> Seen:
    return Seen("passed", message, numbers=numbers)


def does_not_apply(message: str) -> Seen:
    return Seen("not applicable", message)


def quoted(names: Iterable[str]) -> str:
    shown = list(names)
    more = f" and {len(shown) - MAX_EXAMPLES} more" if len(shown) > MAX_EXAMPLES else ""
    return ", ".join(f"'{name}'" for name in shown[:MAX_EXAMPLES]) + more


def plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
