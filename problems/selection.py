"""What prunes candidates and chooses among them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

from penstock.actions.component import Fingerprints
from penstock.components.ensembles.combining import Kind as Ensemble
from penstock.components.search.pruning import Gap
from penstock.problems.fits import Fit
from penstock.store import Ref, Store

Rule = Literal["best", "one-standard-error"]


class PruneRequest(BaseModel):
    """`fits`: on the first fold. `candidates`: how many the whole search compares."""

    fits: list[Fit]
    candidates: int
    folds: Ref
    metric: str | None
    seed: int


class Ended(BaseModel):
    """A candidate that is not worth further fits, the one it lost to, and by how much."""

    number: int
    leader: str
    gap: Gap


class SelectRequest(BaseModel):
    """`simplicity`: what the catalogue declares of the methods, for the rule that prefers simple ones. `components`:
    what each is, for the key of what is made of the winner. `found`: what stages of this kind alone have found.
    """

    fits: list[Fit]
    folds: Ref
    metric: str | None = None
    rule: Rule = "best"
    simplicity: dict[str, dict[str, Any]] = {}
    ensembles: list[Ensemble] = []
    components: Fingerprints
    found: dict[str, Ref] = {}
    seed: int


class Selection(BaseModel):
    """The winner, which training depends on, and the evidence for it, which training does not.

    `unseen`: the winner's predictions for learning rows that its fits had not seen: `rows` (positions), `prediction`,
    and `part`, the fold that judged the row.
    """

    winner: Ref
    evidence: Ref
    unseen: Ref | None = None


def metric_of(store: Store, evidence: Ref) -> str | None:
    """The metric that decided, where one did."""
    metric: str | None = store.facts(evidence).get("metric")
    return metric
