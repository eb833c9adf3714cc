"""The rows of a run: what they are, which of them train and which test, what later ones must look like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import BaseModel

from penstock.components.schema import Schema
from penstock.store import Ref, Store, Volatile, digest_of


class Rows(BaseModel):
    """The rows as received, the same with every column in the form of its role, and what the columns are.

    `truth` is a known grouping of rows whose groups are to be found: it is not in the frame, so that nothing that is
    fitted can see it. `reading` says what was found out about the source; it changes with a file's name, which changes
    no row. `tables`: those beside the first, by name.
    """

    received: Ref
    frame: Ref
    schema_: Ref
    truth: Ref | None = None
    reading: Annotated[Ref, Volatile]
    tables: dict[str, Rows] = {}

    def read_schema(self, store: Store) -> Schema:
        return store.facts(self.schema_, Schema)

    @property
    def schemas(self) -> dict[str, Ref]:
        """Of the first table, which has no name, and of those beside it."""
        return {"": self.schema_, **{name: table.schema_ for name, table in self.tables.items()}}

    @property
    def digest(self) -> str:
        """Of the rows of all tables."""
        if not self.tables:
            return self.frame.digest
        return digest_of({"": self.frame.digest, **{name: table.digest for name, table in self.tables.items()}})


class Sides(BaseModel):
    """The training and test rows of a table, and of those beside it.

    Rows are on the side of their unit; a table without the column that names units is whole on both.
    """

    learning: Ref
    test: Ref
    tables: dict[str, Sides] = {}


class Parts(Sides):
    """`folds` holds the learning rows' targets, groups, weights and the positions of every fold."""

    folds: Ref
    facts: Ref
    n_folds: int

    @property
    def sides(self) -> Sides:
        """The rows alone, for what does not hang on the folds."""
        return Sides(learning=self.learning, test=self.test, tables=self.tables)


class Suite(BaseModel):
    """The rules as Great Expectations reads them, the same compiled for scoring, and how the test rows fared."""

    rules: Ref
    contract: Ref
    on_test: Ref


@dataclass(frozen=True)
class Units:
    """Units of evidence: the first table, and further ones by name."""

    frame: pd.DataFrame
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.frame)

    def take(self, positions: NDArray[np.int64]) -> Units:
        """Those at these positions of the first table."""
        return Units(self.frame.iloc[positions].reset_index(drop=True), self.tables)
