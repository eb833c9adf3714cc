"""What was, what is, and how far apart that is, in the column's own units."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from penstock.components.drift.compare import as_numbers
from penstock.components.schema import texts

BINS = 16
MAX_LEVELS = 8
REST = "all others"


def describe(
    before: pd.Series[Any], after: pd.Series[Any], kind: str, levels: list[str] | None = None
) -> dict[str, Any]:
    """Numbers by their quartiles and a histogram of common bins, levels by their shares; `distance` is from 0 to 1:
    Kolmogorov and Smirnov's of numbers, the total variation of shares."""
    if kind == "missing":
        shares = [float(side.isna().mean()) for side in (before, after)]
        return {"distance": abs(shares[1] - shares[0]), "before": {"missing": shares[0]}, "now": {"missing": shares[1]}}
    if kind == "length":
        before, after = before.str.len(), after.str.len()
    if kind in ("numbers", "length"):
        sides = _numbers(*(as_numbers(side, levels) for side in (before, after)))
        is_date = pd.api.types.is_datetime64_any_dtype(before.dtype)
        for side in (sides["before"], sides["now"]):
            if levels or is_date:
                side["quartiles"] = [
                    levels[int(value)] if levels else _day(value) for value in side.get("quartiles", [])
                ]
        return sides
    if kind == "terms":
        return {"distance": None, "before": {}, "now": {}}
    return _levels(before, after)


def _numbers(before: NDArray[np.float64], after: NDArray[np.float64]) -> dict[str, Any]:
    known = [np.sort(side[~np.isnan(side)]) for side in (before, after)]
    if not all(map(len, known)):
        return {"distance": None, "before": {}, "now": {}}
    both = np.concatenate(known)
    steps = [np.searchsorted(side, both, "right") / len(side) for side in known]
    # Long sides would leave all but one bin empty.
    low, high = np.quantile(both, [0.01, 0.99])
    edges = np.linspace(low, high if high > low else low + 1, BINS + 1)
    sides = [
        {
            "quartiles": [float(value) for value in np.quantile(side, [0.25, 0.5, 0.75])],
            "histogram": {"counts": np.histogram(np.clip(side, edges[0], edges[-1]), edges)[0].tolist()},
        }
        for side in known
    ]
    return {"distance": float(np.abs(steps[0] - steps[1]).max()), "before": sides[0], "now": sides[1]}


def _day(days: float) -> str:
    return str((pd.Timestamp(0) + pd.Timedelta(days=days)).date())


def _levels(before: pd.Series[Any], after: pd.Series[Any]) -> dict[str, Any]:
    """The levels whose shares moved most come first."""
    shares = pd.DataFrame({"before": _shares(before), "now": _shares(after)}).fillna(0.0)
    moved = (shares["now"] - shares["before"]).abs()
    shown = shares.loc[moved.sort_values(ascending=False, kind="stable").index]
    few = shown.iloc[:MAX_LEVELS]
    if len(shown) > MAX_LEVELS:
        few = pd.concat([few, shown.iloc[MAX_LEVELS:].sum().to_frame(REST).T])
    return {
        "distance": float(moved.sum() / 2),
        **{side: {"shares": {str(name): float(share) for name, share in few[side].items()}} for side in few.columns},
    }


def _shares(values: pd.Series[Any]) -> pd.Series[Any]:
    return texts(values).value_counts(normalize=True)
