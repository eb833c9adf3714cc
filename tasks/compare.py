"""Compare: the new model with the champion, on rows that neither was trained on, and with the limits."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from penstock.components.evaluation.gate import Verdict, decide
from penstock.components.evaluation.latency import median_milliseconds
from penstock.components.evaluation.safeguards import (
    Check,
    hangs_on_timing,
    latency_check,
    latency_ratio_check,
    settle,
    size_check,
)
from penstock.components.evaluation.terms import Latency
from penstock.problems import find
from penstock.problems.comparison import CompareInput, CompareRequest, Comparison, Difference
from penstock.stage import progress, stage
from penstock.store import Store

MEGABYTE = 10**6


@stage(worker=True, asks="compare", travels=False)
def compare(store: Store, problem: str, request: CompareRequest) -> Comparison:
    """The gate's verdict and all that it rests on. The champion's files are on this machine alone."""
    given = request.load(store)
    found: Difference = find(problem).function("compare")(given)
    progress(compared=len(given.fresh))
    terms = given.terms
    compared = _compared(given, found, first=request.champion is None)
    checks = found.checks + _limit_checks(given, store.path(request.trained.model))
    verdict = settle(compared, checks, strict=terms.strict)
    return Comparison(
        verdict=verdict.verdict,
        reason=verdict.reason,
        needs=verdict.needs,
        difference=found.interval,
        rows=len(given.fresh),
        margin=terms.margin,
        checks=checks,
        timed=hangs_on_timing(compared, checks, strict=terms.strict),
        matched=found.matched,
    )


def _compared(given: CompareInput, found: Difference, *, first: bool) -> Verdict:
    if first:
        return Verdict(verdict="promote", reason="there was no champion to compare with")
    if found.held:
        return Verdict(verdict="hold", reason=found.held)
    if found.interval is None:
        return Verdict(verdict="inconclusive", reason=given.obstacle or found.obstacle)
    return decide(found.interval, given.terms.margin, found.units, found.unit)


def _limit_checks(given: CompareInput, file: Path) -> list[Check]:
    """The limits that a version must meet, whatever it is compared with."""
    limits, checks = given.terms.limits, []
    if limits.size_mb is not None:
        checks.append(size_check(file.stat().st_size / MEGABYTE, limits.size_mb))
    return checks + (_latency_checks(given, limits.latency) if limits.latency else [])


def _latency_checks(given: CompareInput, limit: Latency) -> list[Check]:
    frame = (given.test if len(given.test) else given.training).frame
    batch = frame.iloc[np.arange(limit.rows) % len(frame)].reset_index(drop=True)
    models = [given.model] if given.champion is None else [given.model, given.champion]
    times = median_milliseconds([partial(model.score_frame, batch, enforce=False) for model in models])
    checks = []
    if limit.milliseconds is not None:
        checks.append(latency_check(times[0], limit.milliseconds, limit.rows))
    if limit.ratio is not None:
        ratio = None if given.champion is None else times[0] / times[1]
        checks.append(latency_ratio_check(ratio, limit.ratio, limit.rows))
    return checks
