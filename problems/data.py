"""The rows of a run: what they are, which of them train and which test, what later ones must look like."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel

from penstock.components.schema import Schema
from penstock.store import Ref, Store, Volatile


class Rows(BaseModel):
    """The rows as received, the same with every column in the form of its role, and what the columns are.

    `truth` is a known grouping of rows whose groups are to be found: it is not in the frame, so that nothing that is
    fitted can see it. `reading` says what was found out about the source; it changes with a file's name, which changes
    no row.
    """

    received: Ref
    frame: Ref
    schema_: Ref
    truth: Ref | None = None
    reading: Annotated[Ref, Volatile]

    def read_schema(self, store: Store) -> Schema:
        return store.facts(self.schema_, Schema)


class Parts(BaseModel):
    """`folds` holds the learning rows' targets, groups, weights and the positions of every fold."""

    learning: Ref
    test: Ref
    folds: Ref
    facts: Ref
    n_folds: int


class Suite(BaseModel):
    """The rules as Great Expectations reads them, the same compiled for scoring, and how the test rows fared."""

    rules: Ref
    contract: Ref
    on_test: Ref
