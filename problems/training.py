"""What the model that ships is made of, and what is found out about it."""

from __future__ import annotations

from pydantic import BaseModel

from penstock.problems.data import Parts, Rows, Suite
from penstock.store import Ref


class TrainRequest(BaseModel):
    """`rule`: how the winner decides. `objective`: the metric that decided, where costs are part of it."""

    rows: Rows
    parts: Parts
    plan: Ref
    suite: Suite
    winner: Ref
    name: str
    seed: int
    rule: Ref | None = None
    objective: str | None = None


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
    parts: Parts
    evidence: Ref
    metrics: list[str] = []
    seed: int


class Decided(BaseModel):
    """The rule, which ships with the model, and what was found on the way."""

    rule: Ref
    facts: Ref


class Explained(BaseModel):
    """Numbers for the document, and pictures as SVG by name."""

    facts: Ref
    figures: Ref
