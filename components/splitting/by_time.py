"""Splits by time: what comes later evaluates what was trained on earlier rows."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from penstock.errors import DataError, UsageError
from penstock.evidence.folds import Fold

Times = NDArray[np.datetime64]

_SECONDS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}


class Ordered(NamedTuple):
    """Rows to learn from, later rows to be evaluated on, and how many rows between them belong to neither."""

    train: NDArray[np.bool_]
    test: NDArray[np.bool_]
    in_gap: int


def times_of(values: pd.Series[Any]) -> Times:
    missing = int(values.isna().sum())
    if missing:
        raise DataError(
            "PEN213",
            f"the time '{values.name}' is missing in {missing} of {len(values)} rows",
            where=f"column '{values.name}'",
            remedy="give every row its time, or drop these rows: it cannot be known on which side they may stand",
        )
    return values.to_numpy(dtype="datetime64[us]")


def duration(text: str | None, where: str) -> np.timedelta64:
    """A length of time such as `7d`, `12h` or `90min`."""
    if text is None:
        return np.timedelta64(0, "us")
    read = re.fullmatch(r"\s*(\d+)\s*(weeks?|w|days?|d|hours?|h|min|minutes?|s|seconds?)\s*", text)
    if read is None:
        raise UsageError(
            "PEN214",
            f"'{text}' is not a length of time",
            where=where,
            remedy="write a number and a unit, such as 7d, 12h or 90min",
        )
    return np.timedelta64(int(read[1]) * _SECONDS[read[2][0]] * 1_000_000, "us")


def earlier_and_later(times: Times, *, share: float, gap: np.timedelta64) -> Ordered:
    """The last `share` of the rows evaluates. Rows of one moment stay together; those within `gap` before are left
    out.
    """
    ordered = np.sort(times)
    start = ordered[min(len(ordered) - 1, int(np.ceil((1 - share) * len(ordered))))]
    test = times >= start
    train = times < start - gap
    if not train.any():
        raise _tied("no row is earlier than the test rows" + (", once the gap is left out" if gap else ""))
    return Ordered(train, test, int((~train & ~test).sum()))


def ordered_folds(times: Times, *, folds: int, gap: np.timedelta64, window: np.timedelta64 | None) -> list[Fold]:
    """Each fold evaluates the block of rows that follows what it was trained on.

    The rows are cut into folds + 1 blocks of equal size. Without a window the training rows grow from fold to fold;
    with one, they are those of that length of time before the gap.
    """
    ordered = np.sort(times)
    cuts = [ordered[len(ordered) * block // (folds + 1)] for block in range(1, folds + 1)]
    ends = [*cuts[1:], None]
    parts = []
    for number, (start, end) in enumerate(zip(cuts, ends, strict=True), start=1):
        valid = times >= start if end is None else (times >= start) & (times < end)
        last = start - gap
        train = times < last if window is None else (times < last) & (times >= last - window)
        if not train.any() or not valid.any():
            side = "learn from" if not train.any() else "evaluate on"
            raise _tied(f"fold {number} of {folds} has no rows to {side}")
        parts.append(Fold(np.flatnonzero(train), np.flatnonzero(valid)))
    return parts


def _tied(what: str) -> DataError:
    return DataError(
        "PEN215",
        f"{what}: too many rows share the same time, or there are too few rows",
        where="split",
        remedy="set fewer folds, a shorter gap or a longer window, or give rows a finer time",
    )
