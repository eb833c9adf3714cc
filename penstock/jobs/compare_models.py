"""The gate: the challenger against the champion, on rows that neither has learnt from, and against the limits."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.evaluation.calibration import calibration
from penstock.components.evaluation.gate import FEWEST_ROWS, Verdict, decide
from penstock.components.evaluation.intervals import Interval
from penstock.components.evaluation.latency import median_milliseconds
from penstock.components.evaluation.safeguards import (
    Check,
    calibration_check,
    hangs_on_timing,
    latency_check,
    latency_ratio_check,
    settle,
    size_check,
    slice_check,
)
from penstock.components.evaluation.slices import slices
from penstock.components.evaluation.terms import Latency, Slices, Terms
from penstock.components.schema import ROW_ID, Schema, encode_target
from penstock.errors import DataError
from penstock.jobs import Progress
from penstock.jobs.contest import CannotCompare, Contest, contest
from penstock.model import PenstockModel, load_bundle
from penstock.store import Ref, Store

RESAMPLES = 1000
MOST_RESAMPLES = 10_000
MEGABYTE = 10**6


def work(
    store: Store,
    progress: Progress,
    challenger: Ref,
    champion: Path | None,
    champion_ids: Path | None,
    rows: Ref,
    metric_name: str | None,
    terms: Terms,
    seed: int,
) -> dict[str, Any]:
    """The verdict and all that it rests on. Without a champion there are only the limits to be met."""
    new, frame = load_bundle(store.path(challenger)), store.frame(rows)
    compared = Verdict(verdict="promote", reason="there was no champion to compare with")
    fresh, old = frame.iloc[:0], None
    difference: Interval | None = None
    checks: list[Check] = []
    if champion and champion_ids:
        fresh = frame[~frame[ROW_ID].isin(pd.read_parquet(champion_ids)[ROW_ID])].reset_index(drop=True)
        try:
            both = contest(new, champion, fresh, metric_name, seed)
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
    progress({"compared": len(fresh)})
    checks += limit_checks(new, old, frame, store.path(challenger), terms, seed)
    verdict = settle(compared, checks, strict=terms.strict)
    return {
        **verdict.model_dump(),
        "difference": difference.model_dump() if difference else None,
        "rows": len(fresh),
        "margin": terms.margin,
        "checks": [check.model_dump() for check in checks],
        "timed": hangs_on_timing(compared, checks, strict=terms.strict),
    }


def _slice_checks(both: Contest, wanted: Slices, schema: Schema, confidence: float) -> list[Check]:
    """Intervals that hold for all slices at once: their error is shared among them (Bonferroni)."""
    found = [(name, chosen, both.units(chosen)) for name, chosen in slices(both.rows, wanted.columns, schema)]
    large = sum(units >= FEWEST_ROWS for _, _, units in found)
    shared = 1 - (1 - confidence) / max(large, 1)
    resamples = min(RESAMPLES * max(large, 1), MOST_RESAMPLES)
    checks = []
    for name, chosen, units in found:
        difference, why = None, f"it has {units} {both.unit}, {FEWEST_ROWS} are needed"
        if units >= FEWEST_ROWS:
            try:
                difference = both.measure(chosen, shared, resamples)
            except DataError as error:
                why = error.what
        checks.append(slice_check(name, difference, wanted.margin, units, both.unit, why))
    return checks


def limit_checks(
    new: PenstockModel, old: PenstockModel | None, frame: pd.DataFrame, file: Path, terms: Terms, seed: int
) -> list[Check]:
    limits, checks = terms.limits, []
    if limits.size_mb is not None:
        checks.append(size_check(file.stat().st_size / MEGABYTE, limits.size_mb))
    if limits.calibration_error is not None:
        schema = new.schema
        assert schema.target is not None
        group, weighing = schema.named("group"), schema.named("weight")
        found = calibration(
            encode_target(frame[schema.target], schema),
            new.predict_proba(frame, enforce=False).to_numpy(),
            groups=frame[group].to_numpy() if group else None,
            weight=frame[weighing].to_numpy() if weighing else None,
            seed=seed,
            confidence=terms.confidence,
        )
        checks.append(calibration_check(Interval(**found["error"]), limits.calibration_error, len(frame)))
    if limits.latency is not None:
        checks += _latency_checks(new, old, frame, limits.latency)
    return checks


def _latency_checks(
    new: PenstockModel, old: PenstockModel | None, frame: pd.DataFrame, latency: Latency
) -> list[Check]:
    batch = frame.iloc[np.arange(latency.rows) % len(frame)].reset_index(drop=True)
    models = [new] if old is None else [new, old]
    times = median_milliseconds([partial(model.score_frame, batch, enforce=False) for model in models])
    checks = []
    if latency.milliseconds is not None:
        checks.append(latency_check(times[0], latency.milliseconds, latency.rows))
    if latency.ratio is not None:
        ratio = None if old is None else times[0] / times[1]
        checks.append(latency_ratio_check(ratio, latency.ratio, latency.rows))
    return checks
