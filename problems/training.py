"""What the model that ships is made of, and what is found out about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from pydantic import BaseModel

from penstock.components.preprocessing.plan import Plan
from penstock.components.schema import Schema
from penstock.components.trust import trusted_types
from penstock.document.candidates import Score
from penstock.evidence.evidence import Evidence
from penstock.evidence.folds import Folds
from penstock.model import PenstockModel, load_bundle
from penstock.problems.data import DataSplit, Rows, Suite, Units, unit_column
from penstock.problems.selection import SelectionEvidence, Winner
from penstock.store import Figures, Ref, Store, read_estimator

Array = np.ndarray[Any, Any]


class TrainRequest(BaseModel):
    """`rule`: how the winner decides. `objective`: the metric that decided, where costs are part of it."""

    rows: Rows
    data_split: DataSplit
    plan: Ref[Plan]
    suite: Suite
    winner: Ref[Winner]
    name: str
    seed: int
    rule: Ref | None = None
    objective: str | None = None

    def load(self, store: Store) -> TrainInput:
        schema = self.rows.read_schema(store)
        return TrainInput(
            schema=schema,
            winner=store.facts(self.winner),
            plan=store.facts(self.plan),
            training=self.data_split.training(unit_column(schema.problem, schema.named("group"))).load(store),
            folds=Folds.load(store, self.data_split.folds),
            rule=None if self.rule is None else read_estimator(store.path(self.rule), trusted_types()),
            seed=self.seed,
        )


@dataclass(frozen=True)
class TrainInput:
    """What `train` of a kind of question gets. `rule`: an estimator around the winner that decides, not fitted."""

    schema: Schema
    winner: Winner
    plan: Plan
    training: Units
    folds: Folds
    rule: Any
    seed: int


@dataclass(frozen=True)
class TrainedModel:
    """What `train` gives: a fitted pipeline, what assigns new units where that cannot, and facts for the card."""

    pipeline: Any
    assigner: Any = None
    card: Mapping[str, object] = field(default_factory=dict)


class Trained(BaseModel):
    """The model file, and the identities of the rows it was fitted to.

    `code`: digests of the modules that predict, for the key of what is predicted: when these change, the model's bytes
    may stay as they are.
    """

    model: Ref
    ids: Ref
    code: dict[str, str] = {}


class EvaluateRequest(BaseModel):
    """`metrics`: those that are asked for; the first decides."""

    trained: Trained
    data_split: DataSplit
    evidence: Ref[SelectionEvidence]
    metrics: list[str] = []
    seed: int

    def load(self, store: Store) -> EvaluateInput:
        model = load_bundle(store.path(self.trained.model))
        unit = unit_column(model.schema.problem, model.schema.named("group"))
        return EvaluateInput(
            model=model,
            training=self.data_split.training(unit).load(store),
            test=self.data_split.apart(unit).load(store),
            selection=store.facts(self.evidence),
            metrics=self.metrics,
            seed=self.seed,
        )


@dataclass(frozen=True)
class EvaluateInput:
    """What `evaluate` of a kind of question gets. `selection`: how the winner was chosen."""

    model: PenstockModel
    training: Units
    test: Units
    selection: SelectionEvidence
    metrics: list[str]
    seed: int


class Scores(BaseModel):
    """By name: with intervals on units that the model never saw, the one that decides first; and on those it knows."""

    metrics: dict[str, Score]
    in_sample: dict[str, float] = {}


@dataclass(frozen=True)
class Evaluated:
    """What `evaluate` of a kind of question gives.

    `sections`: further facts, as they stand in the run document. `pictured`: what pictures show beside the evidence.
    """

    evidence: Evidence
    scores: Scores
    sections: Mapping[str, BaseModel] = field(default_factory=dict)
    pictured: Mapping[str, Array] = field(default_factory=dict)

    def save(self, store: Store) -> Evaluation:
        return Evaluation(
            scores=store.put_facts(self.scores),
            evidence=self.evidence.save(store),
            sections={name: store.put_facts(facts) for name, facts in self.sections.items()},
            pictured=store.put_arrays(**self.pictured) if self.pictured else None,
        )


class Evaluation(BaseModel):
    """The same in the store."""

    scores: Ref[Scores]
    evidence: Ref
    sections: dict[str, Ref] = {}
    pictured: Ref | None = None


class Decided(BaseModel):
    """The rule, which ships with the model, and what was found on the way."""

    rule: Ref
    facts: Ref


class Explained(BaseModel):
    """Numbers for the document, where there are any, and pictures as SVG by name."""

    facts: Ref
    figures: Ref[Figures]

    @classmethod
    def of(cls, store: Store, facts: BaseModel | None, figures: Mapping[str, str] | None = None) -> Explained:
        return cls(facts=store.put_facts(facts), figures=store.put_facts(dict(figures or {})))
