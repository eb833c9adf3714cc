"""The gate: the challenger against the champion, on rows that neither has learnt from, and against the limits."""

from __future__ import annotations

import numpy as np
import pandas as pd

from penstock.components.evaluation.gate import MIN_ROWS, Verdict, decide
from penstock.components.evaluation.intervals import Interval
from penstock.components.evaluation.safeguards import (
    Check,
    hangs_on_timing,
    settle,
    slice_check,
)
from penstock.components.evaluation.slices import slices
from penstock.components.evaluation.terms import Slices
from penstock.components.schema import ROW_ID, Schema
from penstock.errors import DataError
from penstock.model import load_bundle
from penstock.problems.comparison import CompareRequest, Comparison
from penstock.problems.rows.champion import CannotCompare, Contest, contest
from penstock.problems.rows.limits import limit_checks
from penstock.problems.selection import metric_of
from penstock.stage import progress
from penstock.store import Store

RESAMPLES = 1000
MAX_RESAMPLES = 10_000


def compare(store: Store, problem: str, request: CompareRequest) -> Comparison:
    """The verdict and all that it rests on. Without a champion there are only the limits to be met."""
    terms, seed = request.terms, request.seed
    new, frame = load_bundle(store.path(request.trained.model)), store.frame(request.parts.test)
    compared = Verdict(verdict="promote", reason="there was no champion to compare with")
    fresh, old = frame.iloc[:0], None
    difference: Interval | None = None
    checks: list[Check] = []
    if request.champion and request.champion_ids:
        fresh = frame[~frame[ROW_ID].isin(pd.read_parquet(request.champion_ids)[ROW_ID])].reset_index(drop=True)
        try:
            both = contest(new, request.champion, fresh, metric_of(store, request.evidence), seed)
        except CannotCompare as obstacle:
            compared = Verdict(verdict="inconclusive", reason=str(obstacle))
        else:
            everywhere = np.ones(len(fresh), dtype=bool)
            old = both.champion
            try:
                difference = both.measure(everywhere, terms.confidence, RESAMPLES)
            except DataError as few:
                compared = Verdict(verdict="inconclusive", reason=few.what)
            else:
                compared = decide(difference, terms.margin, both.units(everywhere), both.unit)
            if terms.slices:
                checks += _slice_checks(both, terms.slices, new.schema, terms.confidence)
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
    )


def _slice_checks(both: Contest, wanted: Slices, schema: Schema, confidence: float) -> list[Check]:
    """Intervals that hold for all slices at once: their error is shared among them (Bonferroni)."""
    found = [(name, chosen, both.units(chosen)) for name, chosen in slices(both.rows, wanted.columns, schema)]
    large = sum(units >= MIN_ROWS for _, _, units in found)
    shared = 1 - (1 - confidence) / max(large, 1)
    resamples = min(RESAMPLES * max(large, 1), MAX_RESAMPLES)
    checks = []
    for name, chosen, units in found:
        difference, why = None, f"it has {units} {both.unit}, {MIN_ROWS} are needed"
        if units >= MIN_ROWS:
            try:
                difference = both.measure(chosen, shared, resamples)
            except DataError as error:
                why = error.what
        checks.append(slice_check(name, difference, wanted.margin, units, both.unit, why))
    return checks
