"""The limits that a version must meet, whatever it is compared with."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from penstock.components.evaluation.calibration import calibration
from penstock.components.evaluation.intervals import Interval
from penstock.components.evaluation.latency import median_milliseconds
from penstock.components.evaluation.safeguards import (
    Check,
    calibration_check,
    latency_check,
    latency_ratio_check,
    size_check,
)
from penstock.components.evaluation.terms import Latency, Terms
from penstock.components.schema import encode_target
from penstock.model import PenstockModel

MEGABYTE = 10**6


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
