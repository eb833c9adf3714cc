"""What a candidate is fitted to, and what its fits find."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel

from penstock.actions.component import Fingerprint
from penstock.components.preprocessing.plan import Step
from penstock.components.search.candidates import Candidate
from penstock.document.course import StudiedPreparation
from penstock.evidence.evidence import Evidence
from penstock.evidence.folds import Folds
from penstock.problems.data import Units, UnitsRef
from penstock.stage import Failure, Status
from penstock.store import Ref, Store, Volatile

Array = np.ndarray[Any, Any]


class Balance(Step):
    """What balances the classes of training rows when a model is fitted, and what that component is."""

    component: Fingerprint | None = None


class Prepared(BaseModel):
    """One fold's matrices, or all training rows as `train` where there are no folds.

    `study` is for people: the correlations of the prepared columns, before any was selected. `copies`: for each row of
    `train`, the training row that it was made from, where copies were added.
    """

    train: Ref
    valid: Ref | None = None
    names: Ref[list[str]]
    study: Annotated[Ref[StudiedPreparation] | None, Volatile] = None
    copies: Ref | None = None
    balance: Balance | None = None

    def load(self, store: Store) -> Matrices:
        return Matrices(
            train=np.asarray(store.matrix(self.train)),
            names=store.facts(self.names),
            valid=None if self.valid is None else np.asarray(store.matrix(self.valid)),
            origin=None if self.copies is None else store.matrix(self.copies),
            balance=self.balance,
        )


@dataclass(frozen=True)
class Matrices:
    """What a preparation made of one fold: memory-mapped, with the names of the columns.

    `origin`: for each row of `train`, the training row that it was made from, where copies were added.
    """

    train: Array
    names: list[str]
    valid: Array | None = None
    origin: Array | None = None
    balance: Step | None = None


class FitSettings(BaseModel):
    """One fit of a candidate: on a share of the training units of one fold."""

    candidate: Candidate
    fold: int
    share: float = 1.0
    metric: str | None = None
    seed: int


class FitRequest(BaseModel):
    """`prepared` of kinds whose rows are prepared; `training`, the training units, of the others."""

    settings: FitSettings
    folds: Ref
    prepared: Prepared | None = None
    training: UnitsRef | None = None

    def load(self, store: Store, problem: str) -> FitInput:
        folds = Folds.load(store, self.folds)
        matrices = self.prepared.load(store) if self.prepared else None
        if self.training is None:
            return FitInput(problem, self.settings, folds, matrices)
        units = self.training.load(store)
        if not len(folds):
            return FitInput(problem, self.settings, folds, matrices, units)
        train, valid = folds.splits[self.settings.fold]
        return FitInput(problem, self.settings, folds, matrices, units.take(train), units.take(valid))


@dataclass(frozen=True)
class FitInput:
    """What `fit` of a kind of question gets: matrices where its rows are prepared, else the units of the fold.

    `validation` is None where candidates are fitted once, on all training units.
    """

    problem: str
    settings: FitSettings
    folds: Folds
    prepared: Matrices | None = None
    training: Units | None = None
    validation: Units | None = None

    @property
    def matrices(self) -> Matrices:
        if self.prepared is None:
            raise LookupError(f"nothing is prepared for a {self.problem}")
        return self.prepared

    @property
    def valid(self) -> Array:
        """The prepared rows that evaluate the fit."""
        if self.matrices.valid is None:
            raise LookupError(f"a {self.problem} is fitted to all rows")
        return self.matrices.valid


@dataclass(frozen=True)
class FitResult:
    """What `fit` of a kind of question gives: predictions for units that the fit had not seen, and their score.

    `score` is None where the fold's units do not define it; `facts` is what this kind finds beside.
    """

    evidence: Evidence
    score: float | None = None
    facts: BaseModel | None = None

    def save(self, store: Store, fold: int) -> FoldResult:
        facts = None if self.facts is None else store.put_facts(self.facts)
        return FoldResult(fold=fold, score=self.score, evidence=self.evidence.save(store), facts=facts)


class FoldResult(BaseModel):
    """The same in the store."""

    fold: int
    score: float | None = None
    evidence: Ref
    facts: Ref | None = None


class FoldFit(BaseModel):
    """How a candidate fared on one fold; a failed fit has a reason instead of a result."""

    status: Status
    result: FoldResult | None = None
    reason: Annotated[str | None, Volatile] = None
    seconds: Annotated[float, Volatile] = 0.0

    @classmethod
    def of(cls, failure: Failure) -> FoldFit:
        return cls(status=failure.status, reason=failure.reason, seconds=failure.seconds)


class Fit(BaseModel):
    """How a candidate fared; one that was ended early has results of the first fold only, or on a share of the rows."""

    candidate: Candidate
    share: float = 1.0
    status: Status | Literal["pruned"]
    results: list[FoldResult] = []
    reason: Annotated[str | None, Volatile] = None
    seconds: Annotated[float, Volatile] = 0.0
