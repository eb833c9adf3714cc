"""What the gate compares, and what it finds."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel

from penstock.components.clustering.matching import Match
from penstock.components.evaluation.gate import Verdict
from penstock.components.evaluation.intervals import Interval
from penstock.components.evaluation.safeguards import Check
from penstock.components.evaluation.terms import Terms
from penstock.problems.data import Parts
from penstock.problems.training import Trained
from penstock.store import Ref


class CompareRequest(BaseModel):
    """The challenger and the champion's files; without these there are only the limits to be met."""

    trained: Trained
    parts: Parts
    champion: Path | None = None
    champion_ids: Path | None = None
    evidence: Ref
    found: dict[str, Ref] = {}
    terms: Terms
    seed: int


class Comparison(Verdict):
    """The gate's verdict and all that it rests on. `timed`: whether it hangs on how long something took."""

    difference: Interval | None
    rows: int
    margin: float
    checks: list[Check]
    timed: bool
    matched: Match | None = None
