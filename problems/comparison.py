"""What the gate compares, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
from pydantic import BaseModel

from penstock.components.clustering.matching import Match
from penstock.components.evaluation.gate import Verdict
from penstock.components.evaluation.intervals import Interval
from penstock.components.evaluation.safeguards import Check
from penstock.components.evaluation.terms import Terms
from penstock.components.schema import ROW_ID
from penstock.model import PenstockModel, load_bundle
from penstock.problems.champion import CannotCompare, load_champion
from penstock.problems.data import DataSplit, Units, unit_column
from penstock.problems.selection import Found, SelectionEvidence
from penstock.problems.training import Trained
from penstock.store import Ref, Store


class CompareRequest(BaseModel):
    """The challenger and the champion's files; without these there are only the limits to be met."""

    trained: Trained
    data_split: DataSplit
    champion: Path | None = None
    champion_ids: Path | None = None
    evidence: Ref[SelectionEvidence]
    found: dict[str, Ref] = {}
    terms: Terms
    seed: int

    def load(self, store: Store) -> CompareInput:
        new = load_bundle(store.path(self.trained.model))
        unit = unit_column(new.schema.problem, new.schema.named("group"))
        test = self.data_split.apart(unit).load(store)
        champion, fresh, obstacle = None, test.take(np.arange(0)), None
        if self.champion and self.champion_ids:
            fresh = test.without(pd.read_parquet(self.champion_ids)[ROW_ID])
            try:
                champion = load_champion(new, self.champion)
            except CannotCompare as found:
                obstacle = str(found)
        return CompareInput(
            model=new,
            champion=champion,
            obstacle=obstacle,
            training=self.data_split.training(unit).load(store),
            test=test,
            fresh=fresh,
            metric=store.facts(self.evidence).metric,
            found=Found(store, self.found),
            terms=self.terms,
            seed=self.seed,
        )


@dataclass(frozen=True)
class CompareInput:
    """What `compare` of a kind of question gets.

    `champion` is None where there is none, or where an `obstacle` stands in the way. `fresh`: the test units that the
    champion was not trained on. `metric`: the one that decided.
    """

    model: PenstockModel
    champion: PenstockModel | None
    obstacle: str | None
    training: Units
    test: Units
    fresh: Units
    metric: str
    found: Found
    terms: Terms
    seed: int


@dataclass(frozen=True)
class Difference:
    """What `compare` of a kind of question gives: the challenger's score less the champion's, on fresh units.

    Without an interval, `obstacle` says why there is none; `held`, why nothing can replace a champion. `checks` are of
    the challenger, whatever it is compared with.
    """

    interval: Interval | None = None
    units: int = 0
    unit: str = "rows"
    obstacle: str = ""
    held: str = ""
    checks: list[Check] = field(default_factory=list)
    matched: Match | None = None


class Comparison(Verdict):
    """The gate's verdict and all that it rests on. `timed`: whether it hangs on how long something took."""

    difference: Interval | None
    rows: int
    margin: float
    checks: list[Check]
    timed: bool
    matched: Match | None = None
