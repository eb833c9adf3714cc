"""What a candidate is fitted to, and what its fits find."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel

from penstock.components.search.candidates import Candidate
from penstock.stage import Failure, Status
from penstock.store import Ref, Volatile


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


class FitRequest(BaseModel):
    """One fit of a candidate: on a share of the training rows of one fold."""

    candidate: Candidate
    prepared: Prepared
    folds: Ref
    fold: int
    share: float
    metric: str | None
    seed: int


class FoldFit(BaseModel):
    """How a candidate fared on one fold; a failed fit has a reason instead of a result."""

    status: Status
    result: Ref | None = None
    reason: Annotated[str | None, Volatile] = None
    seconds: Annotated[float, Volatile] = 0.0

    @classmethod
    def of(cls, failure: Failure) -> FoldFit:
        return cls(status=failure.status, reason=failure.reason, seconds=failure.seconds)


class Fit(BaseModel):
    """How a candidate fared; one that was ended early has results of the first fold only, or on a share of the rows."""

    candidate: Candidate
    share: float = 1.0
    status: Status | Literal["ended"]
    results: list[Ref] = []
    reason: Annotated[str | None, Volatile] = None
    seconds: Annotated[float, Volatile] = 0.0


class Fitted(BaseModel):
    """A candidate and what its fits found, fold by fold."""

    candidate: Candidate
    results: list[Ref]
