"""Recent rows against reference rows, column by column and jointly, with one false-alarm rate for all of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import BaseModel
from scipy import stats

from penstock.components.drift.statistics import (
    as_points,
    counted,
    jointly,
    level_counts,
    ordered,
    term_counts,
)
from penstock.components.drift.windows import Windows
from penstock.components.schema import Schema

Floats = NDArray[np.float64]
Kind = Literal["numbers", "levels", "missing", "length", "terms", "joint", "score"]

SEEN = 0.02  # Below it, windows are too few to tell a tail probability by counting.
MIN_SKEW = 0.1


class Comparison(BaseModel):
    """One thing that is watched. `p`: how often chance makes anything that is watched stand out as much."""

    kind: Kind
    column: str | None
    statistic: float
    p: float
    drifted: bool = False


class Family(BaseModel):
    """What is compared on the same sides of the same rows."""

    name: Literal["inputs", "predictions", "performance"]
    p: float
    drifted: bool = False
    found: list[Comparison]


class Drift(BaseModel):
    """`rate`: how often an unchanged source may raise an alarm of any kind."""

    drifted: bool
    rate: float
    families: list[Family]


def compare_inputs(frame: pd.DataFrame, schema: Schema, windows: Windows) -> Family:
    """Every feature, its missing values, and all features together. `frame`: reference rows, then recent ones."""
    watched: list[tuple[Kind, str | None, Floats]] = []
    numbers: list[Floats] = []
    levels: list[pd.Series[Any]] = []
    for column in schema.features:
        values = frame[column.name]
        missing = values.isna()
        if missing.any():
            watched.append(("missing", column.name, counted(level_counts(missing), windows)))
        if column.role in ("numeric", "date", "ordinal"):
            numbers.append(as_numbers(values, column.levels if column.role == "ordinal" else None))
            watched.append(("numbers", column.name, ordered(numbers[-1], windows)))
        elif column.role == "text":
            numbers.append(as_numbers(values.str.len()))
            watched.append(("length", column.name, ordered(numbers[-1], windows)))
            watched.append(("terms", column.name, counted(term_counts(values), windows)))
        else:
            levels.append(values)
            watched.append(("levels", column.name, counted(level_counts(values), windows)))
    if len(numbers) + len(levels) > 1:
        watched.append(("joint", None, jointly(as_points(numbers, levels), windows)))
    return against_chance("inputs", watched)


def compare_predictions(predictions: pd.DataFrame, windows: Windows) -> Family:
    """What a model says of the rows: numbers by their order, labels and cluster numbers by their shares."""
    watched: list[tuple[Kind, str | None, Floats]] = []
    for name in predictions.columns:
        values = predictions[name]
        if pd.api.types.is_float_dtype(values.dtype):
            watched.append(("numbers", str(name), ordered(values.to_numpy(dtype=float), windows)))
        else:
            watched.append(("levels", str(name), counted(level_counts(values), windows)))
    return against_chance("predictions", watched)


def against_chance(
    name: Literal["inputs", "predictions", "performance"], watched: Iterable[tuple[Kind, str | None, Floats]]
) -> Family:
    """Each statistic against what the largest of all does by chance (Westfall and Young's single step).

    To be comparable they are turned into tail probabilities first.
    """
    watched = list(watched)
    evidence = np.array([_evidence(values) for _, _, values in watched])
    by_chance = evidence[:, 1:].max(axis=0)
    found = [
        Comparison(
            kind=kind,
            column=column,
            statistic=float(values[0]),
            p=float((1 + (by_chance >= tails[0]).sum()) / (1 + len(by_chance))),
        )
        for (kind, column, values), tails in zip(watched, evidence, strict=True)
    ]
    return Family(name=name, p=min(one.p for one in found), found=found)


def settle(families: Iterable[Family], rate: float) -> Drift:
    """Which families drifted, with the rate shared among them by Holm's rule, and what of each stands out."""
    settled: dict[str, Family] = {}
    waiting = sorted(families, key=lambda family: family.p)
    holds = True
    for place, family in enumerate(waiting):
        level = rate / (len(waiting) - place)
        holds = holds and family.p <= level
        found = [one.model_copy(update={"drifted": holds and one.p <= level}) for one in family.found]
        settled[family.name] = family.model_copy(update={"drifted": holds, "found": found})
    order = [name for name in ("inputs", "predictions", "performance") if name in settled]
    return Drift(
        drifted=any(family.drifted for family in settled.values()),
        rate=rate,
        families=[settled[name] for name in order],
    )


def as_numbers(values: pd.Series[Any], levels: list[str] | None = None) -> Floats:
    """Dates as days since 1970, ordered levels as their places."""
    if levels is not None:
        values = values.map({level: place for place, level in enumerate(levels)})
    elif pd.api.types.is_datetime64_any_dtype(values.dtype):
        values = (values - pd.Timestamp(0)) / pd.Timedelta(days=1)
    return np.asarray(values.to_numpy(dtype=float, na_value=np.nan), dtype=np.float64)


def _evidence(values: Floats) -> Floats:
    """-log of the tail probability of each line among all others: counted, and further out by a law with their moments.

    The batch is evaluated by the windows, and each window by the others and the batch: all alike, or it would stand out
    more often than each of them.
    """
    others = len(values) - 1
    counted = (len(values) - np.searchsorted(np.sort(values), values * (1 - 1e-9), "left") - 1) / others
    about = values - values.mean()
    first, second, third = ((np.sum(about**power) - about**power) / others for power in (1, 2, 3))
    spread = np.sqrt(np.maximum(second - first**2, 1e-18))
    skew = np.maximum((third - 3 * first * second + 2 * first**3) / spread**3, MIN_SKEW)
    beyond = -stats.pearson3.logsf((about - first) / spread, skew)
    return np.where(counted > SEEN, -np.log(np.maximum(counted, SEEN)), np.clip(beyond, -np.log(SEEN), 700.0))
