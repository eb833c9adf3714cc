"""The gate of a reduction or a density: what it is worth on rows new to both, less what the champion is."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.evaluation.intervals import Interval
from penstock.components.evaluation.safeguards import Check, floor_check
from penstock.components.evaluation.unsupervised.common_space import InOurUnits, slopes
from penstock.components.evaluation.unsupervised.row_scores import difference
from penstock.model import PenstockModel
from penstock.problems.champion import CannotCompare, by_champion
from penstock.problems.comparison import CompareInput, Difference
from penstock.problems.rows.groups import groups_of, units_of
from penstock.problems.rows.unsupervised.scoring import Scoring

Array = np.ndarray[Any, Any]


def compare_scored(given: CompareInput, scoring: Scoring) -> Difference:
    """What is no better than each column by itself goes nowhere, the first one included."""
    checks = [_floor(given, scoring)]
    if given.champion is None:
        return Difference(checks=checks)
    groups = groups_of(given.model.schema, given.fresh.frame)
    units, unit = units_of(groups, len(given.fresh))
    if units < 2:
        return Difference(obstacle=f"only {units} of the test {unit} are new to it", checks=checks)
    try:
        interval = _gain(given, given.champion, groups, scoring)
    except CannotCompare as obstacle:
        return Difference(obstacle=str(obstacle), checks=checks)
    return Difference(interval, units, unit, checks=checks)


def _floor(given: CompareInput, scoring: Scoring) -> Check:
    """On all test rows: no champion has a part in it."""
    model, seed, confidence = given.model, given.seed, given.terms.confidence
    preparation = model.pipeline[:-1]
    frames = (given.training.frame, given.test.frame)
    known, unseen = (np.asarray(preparation.transform(frame), dtype=float) for frame in frames)
    groups = groups_of(model.schema, given.test.frame)
    gain = scoring.gain_over_floor(model.pipeline[-1], known, unseen, seed=seed, groups=groups, confidence=confidence)
    return floor_check(gain, scoring.floor, *units_of(groups, len(unseen)))


def _gain(given: CompareInput, champion: PenstockModel, groups: Array | None, scoring: Scoring) -> Interval:
    """Both scored in the units of the challenger, from the mean of the rows that it was trained on."""
    model, fresh, seed = given.model, given.fresh.frame, given.seed
    known, ours = (np.asarray(model.pipeline[:-1].transform(rows)) for rows in (given.training.frame, fresh))
    theirs = by_champion(lambda: np.asarray(champion.pipeline[:-1].transform(fresh)))
    slope = slopes(ours, theirs)
    if slope is None:
        raise CannotCompare("the champion prepares the columns in another way, so that the scores have other units")
    before, mean = InOurUnits(champion.pipeline[-1], ours, theirs, slope), known.mean(axis=0)
    mine = scoring.main(model.pipeline[-1], mean, ours, seed)
    other = by_champion(lambda: scoring.main(before, mean, ours, seed))
    return difference(mine, other, seed=seed, groups=groups, confidence=given.terms.confidence)
