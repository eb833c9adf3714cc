"""The gate of a reduction or a density: what it is worth on rows new to both, less what the champion is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.evaluation.gate import Verdict, decide
from penstock.components.evaluation.intervals import Interval
from penstock.components.evaluation.safeguards import Check, floor_check, hangs_on_timing, settle
from penstock.components.held_out.common_space import InOurUnits, slopes
from penstock.components.held_out.floor import FLOORS, gain_over_floor
from penstock.components.held_out.judging import main_score
from penstock.components.held_out.rows import difference
from penstock.components.schema import ROW_ID
from penstock.model import PenstockModel, load_bundle
from penstock.problems.comparison import CompareRequest, Comparison
from penstock.problems.rows.champion import CannotCompare, by_champion, load_champion
from penstock.problems.rows.limits import limit_checks
from penstock.stage import progress
from penstock.store import Store

Array = np.ndarray[Any, Any]


def compare(store: Store, problem: str, request: CompareRequest) -> Comparison:
    """The verdict and all that it rests on.

    What is no better than each column by itself goes nowhere, the first one included.
    """
    terms, seed = request.terms, request.seed
    new, frame = load_bundle(store.path(request.trained.model)), store.frame(request.parts.test)
    compared = Verdict(verdict="promote", reason="there was no champion to compare with")
    fresh, old = frame.iloc[:0], None
    gain: Interval | None = None
    if request.champion and request.champion_ids:
        fresh = frame[~frame[ROW_ID].isin(pd.read_parquet(request.champion_ids)[ROW_ID])].reset_index(drop=True)
        try:
            old = load_champion(new, request.champion)
            groups = _groups(new, fresh)
            units = len(fresh) if groups is None else len(np.unique(groups))
            if units < 2:
                raise CannotCompare(f"only {units} of the test {'rows' if groups is None else 'groups'} are new to it")
            gain = _gain(new, old, store.frame(request.parts.learning), fresh, groups, terms.confidence, seed)
        except CannotCompare as obstacle:
            compared = Verdict(verdict="inconclusive", reason=str(obstacle))
        else:
            compared = decide(gain, terms.margin, units, "rows" if groups is None else "groups")
    progress(compared=len(fresh))
    checks = [_floor(new, store.frame(request.parts.learning), frame, terms.confidence, seed)]
    checks += limit_checks(new, old, frame, store.path(request.trained.model), terms, seed)
    verdict = settle(compared, checks, strict=terms.strict)
    return Comparison(
        verdict=verdict.verdict,
        reason=verdict.reason,
        needs=verdict.needs,
        difference=gain,
        rows=len(fresh),
        margin=terms.margin,
        checks=checks,
        timed=hangs_on_timing(compared, checks, strict=terms.strict),
    )


def _floor(new: PenstockModel, learning: pd.DataFrame, test: pd.DataFrame, confidence: float, seed: int) -> Check:
    """On all test rows: no champion has a part in it."""
    problem = new.schema.problem
    known, unseen = (np.asarray(new.pipeline[:-1].transform(rows), dtype=float) for rows in (learning, test))
    groups = _groups(new, test)
    model = new.pipeline[-1]
    gain = gain_over_floor(problem, model, known, unseen, seed=seed, groups=groups, confidence=confidence)
    units, unit = (len(unseen), "rows") if groups is None else (len(np.unique(groups)), "groups")
    return floor_check(gain, FLOORS[problem], units, unit)


def _groups(new: PenstockModel, fresh: pd.DataFrame) -> Array | None:
    group = new.schema.named("group")
    return pd.factorize(fresh[group])[0] if group else None


def _gain(
    new: PenstockModel,
    old: PenstockModel,
    learning: pd.DataFrame,
    fresh: pd.DataFrame,
    groups: Array | None,
    confidence: float,
    seed: int,
) -> Interval:
    """Both judged in the units of the challenger, from the mean of the rows that it learnt from."""
    problem = new.schema.problem
    known, ours = (np.asarray(new.pipeline[:-1].transform(rows)) for rows in (learning, fresh))
    theirs = by_champion(lambda: np.asarray(old.pipeline[:-1].transform(fresh)))
    slope = slopes(ours, theirs)
    if slope is None:
        raise CannotCompare("the champion prepares the columns in another way, so that the scores have other units")
    before, mean = InOurUnits(old.pipeline[-1], ours, theirs, slope), known.mean(axis=0)
    mine = main_score(problem, new.pipeline[-1], mean, ours, seed)
    other = by_champion(lambda: main_score(problem, before, mean, ours, seed))
    return difference(mine, other, seed=seed, groups=groups, confidence=confidence)
