"""What workers do, one job a module: from references to references, by the function named `work`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any, get_type_hints

from pydantic import BaseModel, TypeAdapter

from penstock.components.search.candidates import Candidate
from penstock.store import Ref, Store, Volatile

Progress = Callable[[Any], None]


class Prepared(BaseModel):
    """One fold's matrices, or all learning rows as `train` where there are no folds.

    `study` is for people: the correlations of the prepared columns, before any was selected. `copies`: for each row of
    `train`, the training row that it was made from, where copies were added. `balance`: name and parameters of what
    is to balance the classes of `train` when a model is fitted, and what that component is.
    """

    train: Ref
    valid: Ref | None = None
    names: Ref
    study: Annotated[Ref | None, Volatile] = None
    copies: Ref | None = None
    balance: dict[str, Any] | None = None


class Fitted(BaseModel):
    """A candidate and what its fits found, fold by fold."""

    candidate: Candidate
    results: list[Ref]


class Selection(BaseModel):
    """The winner, which training depends on, and the evidence for it, which training does not.

    `unseen`: the winner's predictions for learning rows that its fits had not seen: `rows` (positions), `prediction`,
    and `part`, the fold that judged the row.
    """

    winner: Ref
    evidence: Ref
    unseen: Ref | None = None


def perform(store: Store, job: str, arguments: dict[str, Any], progress: Progress) -> Any:
    """Do the job `penstock.jobs.<job>`; arguments and value are JSON."""
    work = import_module(f"penstock.jobs.{job}").work
    hints = get_type_hints(work)
    typed = {name: TypeAdapter(hints[name]).validate_python(value) for name, value in arguments.items()}
    return TypeAdapter(hints["return"]).dump_python(work(store, progress, **typed), mode="json")
