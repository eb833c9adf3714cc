"""The gate: the challenger against the champion, on rows that neither was trained on, and against the limits."""

from __future__ import annotations

import numpy as np

from penstock.components.evaluation.calibration import calibration
from penstock.components.evaluation.gate import MIN_ROWS
from penstock.components.evaluation.intervals import Interval
from penstock.components.evaluation.safeguards import Check, calibration_check, slice_check
from penstock.components.evaluation.slices import slices
from penstock.components.evaluation.terms import Slices
from penstock.components.schema import Schema, encode_target
from penstock.errors import DataError
from penstock.problems.champion import CannotCompare
from penstock.problems.comparison import CompareInput, Difference
from penstock.problems.rows.supervised.paired import PairedScores, paired_scores

RESAMPLES = 1000
MAX_RESAMPLES = 10_000


def compare(given: CompareInput) -> Difference:
    limit = given.terms.limits.calibration_error
    limits = [] if limit is None else [_calibration_check(given, limit)]
    if given.champion is None:
        return Difference(checks=limits)
    try:
        paired = paired_scores(given, given.champion)
    except CannotCompare as obstacle:
        return Difference(obstacle=str(obstacle), checks=limits)
    terms, everywhere = given.terms, np.ones(len(given.fresh), dtype=bool)
    units = paired.units(everywhere)
    checks = _slice_checks(paired, terms.slices, given.model.schema, terms.confidence) if terms.slices else []
    try:
        interval = paired.difference(everywhere, terms.confidence, RESAMPLES)
    except DataError as few:
        return Difference(obstacle=few.what, checks=checks + limits)
    return Difference(interval, units, paired.unit, checks=checks + limits)


def _calibration_check(given: CompareInput, limit: float) -> Check:
    model, frame = given.model, given.test.frame
    schema = model.schema
    assert schema.target is not None
    group, weighing = schema.named("group"), schema.named("weight")
    found = calibration(
        encode_target(frame[schema.target], schema),
        model.predict_proba(frame, enforce=False).to_numpy(),
        groups=frame[group].to_numpy() if group else None,
        weight=frame[weighing].to_numpy() if weighing else None,
        seed=given.seed,
        confidence=given.terms.confidence,
    )
    return calibration_check(Interval(**found["error"]), limit, len(frame))


def _slice_checks(paired: PairedScores, wanted: Slices, schema: Schema, confidence: float) -> list[Check]:
    """Intervals that hold for all slices at once: their error is shared among them (Bonferroni)."""
    found = [(name, chosen, paired.units(chosen)) for name, chosen in slices(paired.rows, wanted.columns, schema)]
    large = sum(units >= MIN_ROWS for _, _, units in found)
    shared = 1 - (1 - confidence) / max(large, 1)
    resamples = min(RESAMPLES * max(large, 1), MAX_RESAMPLES)
    checks = []
    for name, chosen, units in found:
        difference, why = None, f"it has {units} {paired.unit}, {MIN_ROWS} are needed"
        if units >= MIN_ROWS:
            try:
                difference = paired.difference(chosen, shared, resamples)
            except DataError as error:
                why = error.what
        checks.append(slice_check(name, difference, wanted.margin, units, paired.unit, why))
    return checks
