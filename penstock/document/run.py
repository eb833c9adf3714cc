"""The run document."""

from __future__ import annotations

import json
from typing import Any, Self, TypeVar

from pydantic import (
    BaseModel,
    Field,
    SerializeAsAny,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from penstock.document import registry
from penstock.document.about import Artifacts, Diagnosis, RunFacts, StageFacts
from penstock.document.analysis import Analysis
from penstock.document.candidates import Score, Selection, Tried, Winner
from penstock.document.course import PreparedStudy, Step
from penstock.document.data import Cleaning, Data, DataCheck, Question
from penstock.document.facts import Facts
from penstock.document.features import Features
from penstock.document.leakage import Certificate
from penstock.document.verdict import Verdict

VERSION = 1

S = TypeVar("S", bound=BaseModel)


class Sectioned(Facts):
    """What only some kinds of problem bring is in `sections`, by its key in the JSON."""

    sections: dict[str, SerializeAsAny[BaseModel] | None] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _take_sections(cls, facts: Any) -> Any:
        """In JSON, sections stand beside the other keys."""
        if not isinstance(facts, dict) or "sections" in facts:
            return facts
        found = {key: facts[key] for key in registry.sections() if key in facts}
        return {**{key: value for key, value in facts.items() if key not in found}, "sections": found}

    @field_validator("sections", mode="before")
    @classmethod
    def _typed(cls, sections: dict[str, Any]) -> dict[str, Any]:
        types = registry.sections()
        return {key: None if facts is None else types[key].model_validate(facts) for key, facts in sections.items()}

    @model_serializer(mode="wrap")
    def _beside(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        shown: dict[str, Any] = handler(self)
        sections = shown.pop("sections", {})
        return {**shown, **sections}

    def section(self, kind: type[S]) -> S | None:
        """The section of that type; None where this run has none."""
        found = self.sections.get(registry.key_of(kind))
        return found if isinstance(found, kind) else None


class Drawn(Sectioned):
    """What of a run its pictures are made of."""

    problem: str
    data: Data
    winner: Winner
    metric: str
    metrics: dict[str, Score]
    candidates: list[Tried]


class RunDocument(Sectioned):
    """Everything a run found.

    `in_sample`: the metrics on the rows trained on. `course` and `prepared`: where answers are known.
    """

    version: int = VERSION
    name: str
    problem: str
    question: Question
    data: Data
    cleaning: Cleaning
    analysis: Analysis
    checks: list[DataCheck]
    winner: Winner
    metric: str
    metrics: dict[str, Score]
    in_sample: dict[str, float]
    selection: Selection
    candidates: list[Tried]
    verdict: Verdict
    certificate: Certificate | None
    run: RunFacts
    course: list[Step] = Field(default_factory=list)
    prepared: PreparedStudy | None = None
    features: Features
    diagnoses: list[Diagnosis]
    stages: list[StageFacts]
    artifacts: Artifacts

    def as_json(self) -> dict[str, Any]:
        """As `--json` prints it and the home keeps it."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)

    def to_bytes(self) -> bytes:
        return json.dumps(self.as_json(), indent=1).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        return cls.model_validate(json.loads(content))
