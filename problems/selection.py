"""What prunes candidates and chooses among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeVar

from pydantic import BaseModel, Field, JsonValue

from penstock.actions.component import Fingerprint, Fingerprints
from penstock.components.ensembles.chosen import Chosen, Member
from penstock.components.ensembles.combining import Kind as Ensemble
from penstock.components.evaluation.comparisons import Against
from penstock.components.evaluation.intervals import Interval
from penstock.components.evaluation.one_standard_error import Simplicity
from penstock.components.search.candidates import Candidate
from penstock.components.search.preparation_space import Chosen as Preparation
from penstock.components.search.pruning import Gap
from penstock.evidence.evidence import Evidence
from penstock.evidence.folds import Folds
from penstock.problems.fits import Fit, FoldResult
from penstock.store import Ref, Store

T = TypeVar("T")
Rule = Literal["best", "one-standard-error"]


class FoldEvidence:
    """What a candidate's fit on one fold found."""

    def __init__(self, store: Store, result: FoldResult) -> None:
        self.fold, self.score = result.fold, result.score
        self._store, self._result = store, result

    @cached_property
    def evidence(self) -> Evidence:
        return Evidence.load(self._store, self._result.evidence)

    def findings(self, kind: type[T]) -> T:
        """What the kind of question found beside, as the type that its fits gave."""
        if self._result.facts is None:
            raise LookupError("this fit found nothing beside its evidence")
        return self._store.facts(self._result.facts.holding(kind))


@dataclass(frozen=True)
class Fitted:
    """A candidate and what its fits found, fold by fold."""

    candidate: Candidate
    folds: list[FoldEvidence]

    @classmethod
    def load(cls, store: Store, fit: Fit) -> Fitted:
        return cls(fit.candidate, [FoldEvidence(store, result) for result in fit.results])


class Found:
    """What stages of a kind of question alone have found, by section, as the types that they put."""

    def __init__(self, store: Store, refs: Mapping[str, Ref]) -> None:
        self._store, self._refs = store, refs

    def __contains__(self, section: str) -> bool:
        return section in self._refs

    def read(self, section: str, kind: type[T]) -> T:
        return self._store.facts(self._refs[section].holding(kind))


class PruneSettings(BaseModel):
    """`candidates`: how many the whole search compares."""

    candidates: int
    metric: str | None
    seed: int


class PruneRequest(BaseModel):
    """`fits`: on the first fold."""

    settings: PruneSettings
    fits: list[Fit]
    folds: Ref


@dataclass(frozen=True)
class PruneInput:
    """What `prune` of a kind of question gets: the fits on the first fold that finished."""

    problem: str
    settings: PruneSettings
    fits: list[Fitted]
    folds: Folds


class Ended(BaseModel):
    """A candidate that is not worth further fits, the one it lost to, and by how much."""

    number: int
    leader: str
    gap: Gap


class SelectSettings(BaseModel):
    """`simplicity`: what the catalogue declares of the methods, for the rule that prefers simple ones. `components`:
    what each method is, for the key of what is made of the winner.
    """

    metric: str | None = None
    rule: Rule = "best"
    simplicity: dict[str, Simplicity] = {}
    ensembles: list[Ensemble] = []
    components: Fingerprints
    seed: int


class SelectRequest(BaseModel):
    """`found`: what stages of this kind alone have found."""

    settings: SelectSettings
    fits: list[Fit]
    folds: Ref
    found: dict[str, Ref] = {}


@dataclass(frozen=True)
class SelectInput:
    """What `select` of a kind of question gets: the candidates that finished, and what its own stages have found."""

    problem: str
    settings: SelectSettings
    fits: list[Fitted]
    folds: Folds
    found: Found


class Winner(Chosen):
    """What training depends on: the method with what it chose of the preparation. `component`: what it is, for keys."""

    preparation: Preparation = Field(default_factory=dict)
    component: Fingerprint | None = None


class Compared(BaseModel):
    """A candidate as it stood when one was chosen: its score, and how far it is behind the winner."""

    candidate: Candidate
    score: float | None
    folds: list[float] = []
    low: float | None = None
    high: float | None = None
    over_folds: Interval | None = None
    against: Against | None = None
    members: list[Member] = []
    stability: Interval | None = None
    neg_bic: float | None = None


class LeftOut(BaseModel):
    """What could not be a candidate, and why."""

    candidate: Candidate
    reason: str


class SelectionEvidence(BaseModel):
    """Why the winner won; training does not depend on it.

    `compared`: best first where they are `ranked`. `added`: numbers of candidates that no fit was spent on.
    `naive`: the winner's score on the units that chose it. `corrected`: the same for having been picked.
    """

    number: int
    metric: str
    compared: list[Compared]
    ranked: bool = True
    added: list[int] = []
    left_out: list[LeftOut] = []
    rule: Rule | None = None
    best: str | None = None
    standard_error: float | None = None
    alike: list[str] | None = None
    naive: float | None = None
    corrected: Interval | None = None
    resamples: int | None = None
    reason: str | None = None
    weighed: dict[str, JsonValue] | None = None

    @property
    def winner(self) -> Compared:
        return next(one for one in self.compared if one.candidate.number == self.number)


@dataclass(frozen=True)
class Selected:
    """What `select` of a kind of question gives.

    `unseen`: the winner's predictions for training units that its fits had not seen.
    """

    winner: Winner
    evidence: SelectionEvidence
    unseen: Evidence | None = None

    def save(self, store: Store) -> Selection:
        unseen = None if self.unseen is None else self.unseen.save(store)
        return Selection(winner=store.put_facts(self.winner), evidence=store.put_facts(self.evidence), unseen=unseen)


class Selection(BaseModel):
    """The same in the store."""

    winner: Ref[Winner]
    evidence: Ref[SelectionEvidence]
    unseen: Ref | None = None
