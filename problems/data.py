"""The rows of a run: what they are, which of them train and which test, what later ones must look like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from penstock.components.schema import ROW_ID, Schema
from penstock.document.data import DataCheck, NewMembers, Reading, UnitCounts
from penstock.document.facts import Facts
from penstock.problems.registry import find
from penstock.store import Ref, Store, Volatile, digest_of

Rules = list[dict[str, Any]]
"""As Great Expectations has them."""
TableFacts = dict[str, Any]
"""What was analysed of each column, of the target, and the number of rows."""
Contract = dict[str, Any]
"""The rules as compiled for scoring, which a model file holds."""


class Rows(BaseModel):
    """The rows as received, the same with every column in the form of its role, and what the columns are.

    `truth` is a known grouping of rows whose groups are to be found: it is not in the frame, so that nothing that is
    fitted can see it. `reading` says what was found out about the source; it changes with a file's name, which changes
    no row. `tables`: those beside the first, by name.
    """

    received: Ref
    frame: Ref
    schema_: Ref[Schema]
    truth: Ref | None = None
    reading: Annotated[Ref[Reading], Volatile]
    tables: dict[str, Rows] = {}

    def read_schema(self, store: Store) -> Schema:
        return store.facts(self.schema_)

    @property
    def schemas(self) -> dict[str, Ref[Schema]]:
        """Of the first table, which has no name, and of those beside it."""
        return {"": self.schema_, **{name: table.schema_ for name, table in self.tables.items()}}

    @property
    def digest(self) -> str:
        """Of the rows of all tables."""
        if not self.tables:
            return self.frame.digest
        return digest_of({"": self.frame.digest, **{name: table.digest for name, table in self.tables.items()}})


class SideCounts(Facts):
    """How many rows of a table are on which side."""

    training: int
    test: int


class SplitFacts(Facts):
    """How many rows are on which side, and what is to be known about them; `ordered`: the column with the time."""

    rows: int
    without_target: int
    train: int
    test: int
    in_gap: int
    ordered: str | None
    topped_up: dict[str, int]
    equal_content: int
    only_in_test: dict[str, NewMembers]
    units: UnitCounts | None = None
    tables: dict[str, SideCounts] = Field(default_factory=dict)


class Sides(BaseModel):
    """The training and test rows of a table, and of those beside it.

    Rows are on the side of their unit; a table without the column that names units is whole on both.
    """

    train: Ref
    test: Ref
    tables: dict[str, Sides] = {}


class DataSplit(Sides):
    """`folds` holds the training rows' targets, groups, weights and the positions of every fold."""

    folds: Ref
    facts: Ref[SplitFacts]
    n_folds: int

    @property
    def sides(self) -> Sides:
        """The rows alone, for what does not hang on the folds."""
        return Sides(train=self.train, test=self.test, tables=self.tables)

    def training(self, unit: str) -> UnitsRef:
        tables = {name: table.train for name, table in self.tables.items()}
        return UnitsRef(frame=self.train, tables=tables, unit=unit)

    def apart(self, unit: str) -> UnitsRef:
        """The units that are set apart as a test."""
        tables = {name: table.test for name, table in self.tables.items()}
        return UnitsRef(frame=self.test, tables=tables, unit=unit)


class Suite(BaseModel):
    """The rules as Great Expectations reads them, the same compiled for scoring, and how the test rows fared."""

    rules: Ref[Rules]
    contract: Ref[Contract]
    on_test: Ref[list[DataCheck]]


def unit_column(problem: str, group: str | None) -> str:
    """The column that names the unit of each row. `group`: the one that says which rows belong together."""
    return ROW_ID if group is None or find(problem).unit == "row" else group


@dataclass(frozen=True)
class Units:
    """Units of evidence: their rows in the first table, and in those beside it by name. `unit`: the column of ids."""

    frame: pd.DataFrame
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    unit: str = ROW_ID

    def __len__(self) -> int:
        return len(self.frame)

    @property
    def ids(self) -> pd.Series[str]:
        """Of each row of the first table."""
        return self.frame[self.unit]

    def take(self, positions: NDArray[np.int64]) -> Units:
        """Those at these positions of the first table."""
        frame = self.frame.iloc[positions].reset_index(drop=True)
        taken = frame[self.unit]
        tables = {
            name: table[table[self.unit].isin(taken)].reset_index(drop=True) if self.unit in table.columns else table
            for name, table in self.tables.items()
        }
        return Units(frame, tables, self.unit)

    def without(self, ids: pd.Series[str]) -> Units:
        return self.take(np.flatnonzero(~self.ids.isin(ids)))


class UnitsRef(BaseModel):
    """The same in the store."""

    frame: Ref
    tables: dict[str, Ref] = {}
    unit: str = ROW_ID

    def load(self, store: Store) -> Units:
        tables = {name: store.frame(table) for name, table in self.tables.items()}
        return Units(store.frame(self.frame), tables, self.unit)
