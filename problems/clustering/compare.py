"""The gate of a clustering: structure, stability against the champion's, and which cluster is which of its clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.clustering.matching import Match, match
from penstock.components.clustering.replication import replications
from penstock.components.evaluation.gate import Verdict, decide
from penstock.components.evaluation.intervals import Interval, percentiles
from penstock.components.evaluation.safeguards import Check, hangs_on_timing, settle, structure_check
from penstock.components.schema import ROW_ID
from penstock.model import PenstockModel, load_bundle
from penstock.problems.comparison import CompareRequest, Comparison
from penstock.problems.rows.champion import CannotCompare, by_champion, load_champion
from penstock.problems.rows.limits import limit_checks
from penstock.stage import progress
from penstock.store import Store

RESAMPLES = 50
MAX_ROWS = 1000
MAX_MATCHED = 20_000


def compare(store: Store, problem: str, request: CompareRequest) -> Comparison:
    """The verdict and all that it rests on.

    A clustering without structure goes nowhere, the first one included. Against a champion, the clusters that more
    reliably come back win: both methods are fitted again to resamples of rows that neither learnt from.
    """
    terms, seed = request.terms, request.seed
    new, frame = load_bundle(store.path(request.trained.model)), store.frame(request.parts.test)
    found = store.facts(request.found["structure"])
    checks: list[Check] = [structure_check(found["pvalue"], found["level"], found["sentence"])]
    compared = Verdict(verdict="promote", reason="there was no champion to compare with")
    fresh, old = frame.iloc[:0], None
    difference: Interval | None = None
    matched: Match | None = None
    if request.champion and request.champion_ids:
        fresh = frame[~frame[ROW_ID].isin(pd.read_parquet(request.champion_ids)[ROW_ID])].reset_index(drop=True)
        rows = pd.concat([store.frame(request.parts.learning), frame], ignore_index=True)
        try:
            old = load_champion(new, request.champion)
            matched = _matched(new, old, rows, seed)
            if len(fresh) < 2:
                raise CannotCompare(f"only {len(fresh)} of the test rows are new to the champion")
            difference = _steadier(new, old, fresh, terms.confidence, seed)
        except CannotCompare as obstacle:
            compared = Verdict(verdict="inconclusive", reason=str(obstacle))
        else:
            group = new.schema.named("group")
            units, unit = (fresh[group].nunique(), "groups") if group else (len(fresh), "rows")
            compared = decide(difference, terms.margin, units, unit)
    progress(compared=len(fresh))
    checks += limit_checks(new, old, frame, store.path(request.trained.model), terms, seed)
    verdict = settle(compared, checks, strict=terms.strict)
    return Comparison(
        verdict=verdict.verdict,
        reason=verdict.reason,
        needs=verdict.needs,
        difference=difference,
        rows=len(fresh),
        margin=terms.margin,
        checks=checks,
        timed=hangs_on_timing(compared, checks, strict=terms.strict),
        matched=matched,
    )


def _matched(new: PenstockModel, old: PenstockModel, rows: pd.DataFrame, seed: int) -> Match:
    """By the rows of this run, which both models assign."""
    if len(rows) > MAX_MATCHED:
        rows = rows.sample(MAX_MATCHED, random_state=seed)
    ours = new.predict(rows, enforce=False).to_numpy()
    return match(ours, by_champion(lambda: old.predict(rows, enforce=False).to_numpy()))


def _steadier(new: PenstockModel, old: PenstockModel, fresh: pd.DataFrame, confidence: float, seed: int) -> Interval:
    """How much more alike the challenger's clusters come back than the champion's, on the same resamples."""
    if len(fresh) > MAX_ROWS:
        fresh = fresh.sample(MAX_ROWS, random_state=seed)
    gain = _replications(new, fresh, seed) - by_champion(lambda: _replications(old, fresh, seed))
    return percentiles(float(gain.mean()), gain, confidence)


def _replications(model: PenstockModel, frame: pd.DataFrame, seed: int) -> np.ndarray[Any, Any]:
    matrix = np.asarray(model.pipeline[:-1].transform(frame))
    labels = model.predict(frame, enforce=False).to_numpy()
    return replications(model.pipeline[-1], matrix, labels, seed=seed, resamples=RESAMPLES)
