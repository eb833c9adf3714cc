"""The data of a run: what was read, how it was split, what was left out, what each column is."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from penstock.document.facts import Facts, Volatile

Label = bool | int | float | str


class Question(Facts):
    """What was asked; the columns that it is answered from, and the one that it is about."""

    asked: str | None
    inputs: list[str]
    target: str | None


class Reading(Facts):
    """How the source was read; what its format does not have stays None."""

    source: str
    format: str
    rows: int
    columns: int
    declared: list[str]
    summary: str
    delimiter: str | None = None
    separated_by: str | None = None
    quote: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None
    header: bool | None = None
    compression: str | None = None
    sheet: str | None = None
    files: int | None = None
    database: str | None = None
    query: str | None = None
    set: str | None = None


class NewMembers(Facts):
    """Members of a column among the test rows (`of`) that no training row has, and their rows."""

    members: int
    of: int
    rows: int


class DataSplit(Facts):
    recipe: str
    ordered: str | None = None
    in_gap: int = 0
    group: str | None = None
    within: str | None = None


class Histogram(Facts):
    edges: list[float]
    counts: list[int]


class Level(Facts):
    level: str
    count: int


class ColumnFacts(Facts):
    """What a column is used as, why, and its values in numbers; which of these there are follows from its role.

    `levels`: with counts where they are known, else names alone. `classes`: of the target, with the rows of each.
    """

    name: str
    role: str = "target"
    reason: str | None = None
    levels: list[Level] | list[str] | None = None
    scale: str | None = None
    suggests: str | None = None
    missing: float | None = None
    distinct: int | None = None
    min: float | None = None
    max: float | None = None
    mean: float | None = None
    sd: float | None = None
    skewness: float | None = None
    quartiles: list[float | None] | None = None
    histogram: Histogram | None = None
    first: str | None = None
    last: str | None = None
    mean_words: float | None = None
    most_words: int | None = None
    classes: dict[str, int] | None = None


class Target(Facts):
    """The column to predict; of two classes the second is the positive one."""

    name: str | None
    classes: list[Label] | None
    facts: ColumnFacts | None

    @property
    def positive(self) -> Label | None:
        """The class that a classifier of two finds."""
        return self.classes[1] if self.classes and len(self.classes) == 2 else None

    @property
    def words(self) -> str:
        return f"“{self.name}”" if self.name else "the target"


class UnitCounts(Facts):
    """How many units there are, where these are not rows; `unit` is what one is called."""

    unit: str
    training: int
    test: int


class FurtherTable(Facts):
    """A table beside the first: its rows, and on which side of the split they are."""

    name: str
    source: str
    rows: int
    columns: int
    training_rows: int
    test_rows: int


class Data(Facts):
    source: str
    reading: Annotated[Reading, Volatile]
    digest: str
    rows: int
    columns: int
    train_rows: int
    test_rows: int
    topped_up: dict[str, int]
    equal_content: int
    only_in_test: dict[str, NewMembers]
    split: DataSplit
    schema_: list[ColumnFacts] = Field(alias="schema")
    target: Target
    units: UnitCounts | None = None
    tables: list[FurtherTable] = Field(default_factory=list)


class Shape(Facts):
    rows: int
    columns: int


class Cleaning(Facts):
    """Columns and rows that were dropped as unfit, with the reason; rows that are fit, but not of this run."""

    before: Shape
    after: Shape
    columns: dict[str, str | None]
    rows: dict[str, int]
    set_aside: dict[str, int]


class DataCheck(Facts):
    """A check of the data, built in, written or learnt, and what it found."""

    code: str
    source: str
    rule: str
    column: str | None
    passed: bool
    severity: str
    count: int
    share: float
    examples: list[Any]
    message: str
    remedy: str | None
