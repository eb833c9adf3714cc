"""The gate of a clustering: structure, stability against the champion's, and which cluster is which of its clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.clustering.matching import Match, match
from penstock.components.clustering.replication import replications
from penstock.components.evaluation.intervals import Interval, percentiles
from penstock.components.evaluation.safeguards import structure_check
from penstock.components.structure.assess import StructureVerdict
from penstock.model import PenstockModel
from penstock.problems.champion import CannotCompare, by_champion
from penstock.problems.comparison import CompareInput, Difference

RESAMPLES = 50
MAX_ROWS = 1000
MAX_MATCHED = 20_000


def compare(given: CompareInput) -> Difference:
    """A clustering without structure goes nowhere, the first one included. Against a champion, the clusters that more
    reliably come back win: both methods are fitted again to resamples of rows that neither was trained on.
    """
    structure = given.found.read("structure", StructureVerdict)
    checks = [structure_check(structure.pvalue, structure.level, structure.sentence)]
    if given.champion is None:
        return Difference(checks=checks)
    matched, fresh = None, given.fresh.frame
    try:
        matched = _matched(given, given.champion)
        if len(fresh) < 2:
            raise CannotCompare(f"only {len(fresh)} of the test rows are new to the champion")
        interval = _steadier(given, given.champion)
    except CannotCompare as obstacle:
        return Difference(obstacle=str(obstacle), checks=checks, matched=matched)
    group = given.model.schema.named("group")
    units, unit = (fresh[group].nunique(), "groups") if group else (len(fresh), "rows")
    return Difference(interval, units, unit, checks=checks, matched=matched)


def _matched(given: CompareInput, champion: PenstockModel) -> Match:
    """By the rows of this run, which both models assign."""
    rows = pd.concat([given.training.frame, given.test.frame], ignore_index=True)
    if len(rows) > MAX_MATCHED:
        rows = rows.sample(MAX_MATCHED, random_state=given.seed)
    ours = given.model.predict(rows, enforce=False).to_numpy()
    return match(ours, by_champion(lambda: champion.predict(rows, enforce=False).to_numpy()))


def _steadier(given: CompareInput, champion: PenstockModel) -> Interval:
    """How much more alike the challenger's clusters come back than the champion's, on the same resamples."""
    fresh, seed = given.fresh.frame, given.seed
    if len(fresh) > MAX_ROWS:
        fresh = fresh.sample(MAX_ROWS, random_state=seed)
    theirs = by_champion(lambda: _replications(champion, fresh, seed))
    gain = _replications(given.model, fresh, seed) - theirs
    return percentiles(float(gain.mean()), gain, given.terms.confidence)


def _replications(model: PenstockModel, frame: pd.DataFrame, seed: int) -> np.ndarray[Any, Any]:
    matrix = np.asarray(model.pipeline[:-1].transform(frame))
    labels = model.predict(frame, enforce=False).to_numpy()
    return replications(model.pipeline[-1], matrix, labels, seed=seed, resamples=RESAMPLES)
