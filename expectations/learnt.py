"""Rules learnt from training rows: loose enough for fresh rows of the same kind, tight enough for real breaks."""

from __future__ import annotations

import math
import sys
from typing import Any

import pandas as pd

from penstock.components.contract import BETWEEN, EXISTS, IN_SET, LENGTHS, NOT_NULL, OF_TYPE, Rule
from penstock.components.schema import Column, Schema, conform

MARGIN = 0.5
MIN_ROWS = 50
SURE = 3.0
EARLIEST = pd.Timestamp("0001-01-01")
TYPES = {"numeric": "float64", "boolean": "float64", "date": "datetime64"}


def learn(frame: pd.DataFrame, schema: Schema) -> list[Rule]:
    """Rules for the features, in canonical form: present, of their type, as complete and within the bounds as seen."""
    frame = conform(frame, schema, strict=False)
    rules: list[Rule] = []
    for column in schema.features:
        known = frame[column.name].dropna()
        rules.append(_rule(EXISTS, column))
        rules.append(_rule(OF_TYPE, column, type_=TYPES.get(column.role, "str")))
        rules += _shares(NOT_NULL, column, len(frame) - len(known), len(frame))
        if len(known):
            rules += _values(known, column)
    return rules


def _values(known: pd.Series[Any], column: Column) -> list[Rule]:
    rows = len(known)
    if column.role == "numeric":
        low, high = float(known.min()), float(known.max())
        width = MARGIN * ((high - low) or abs(high) or 1.0)
        return _shares(BETWEEN, column, 0, rows, min_value=_finite(low - width), max_value=_finite(high + width))
    if column.role == "boolean":
        return _shares(IN_SET, column, 0, rows, value_set=[0.0, 1.0])
    if column.role == "ordinal":
        return _shares(IN_SET, column, 0, rows, value_set=list(column.levels or []))
    if column.role == "nominal":
        counts = known.value_counts()
        seen_once = int((counts == 1).sum())  # by Good and Turing, their share is the share of levels yet unseen
        return _shares(IN_SET, column, seen_once, rows, value_set=sorted(counts.index))
    if column.role == "date":
        first, last = known.min(), known.max()
        earliest = max(first - MARGIN * (last - first), EARLIEST)
        return _shares(BETWEEN, column, 0, rows, min_value=earliest.isoformat())
    longest = int(known.str.len().max())
    return _shares(LENGTHS, column, 0, rows, max_value=math.ceil((1 + MARGIN) * longest))


def _shares(kind: str, column: Column, bad: int, rows: int, **kwargs: Any) -> list[Rule]:
    """A rule that most values must keep, when `bad` of `rows` did not; no rule when it would let nearly all pass.

    Allowed is an upper bound of the share to come, and what chance adds to it in a batch of few rows. What never was
    bad in training is judged on any row; a share that was there before needs some rows to be judged.
    """
    share = _upper_bound(bad, rows)
    allowed = share + SURE * math.sqrt(share * (1 - share) / MIN_ROWS)
    if allowed >= 0.9:
        return []
    rule = _rule(kind, column, **kwargs, mostly=math.floor((1 - allowed) * 1e4) / 1e4)
    if bad:
        rule["meta"]["rows_at_least"] = MIN_ROWS
    return [rule]


def _upper_bound(bad: int, rows: int) -> float:
    """Wilson's, for a share."""
    share, z = bad / rows, SURE
    centre = share + z * z / (2 * rows)
    spread = z * math.sqrt(share * (1 - share) / rows + z * z / (4 * rows * rows))
    return min(1.0, (centre + spread) / (1 + z * z / rows))


def _finite(number: float) -> float:
    return max(-sys.float_info.max, min(sys.float_info.max, number))


def _rule(kind: str, column: Column, **kwargs: Any) -> Rule:
    return {"type": kind, "kwargs": {"column": column.name, **kwargs}, "meta": {"source": "learnt"}}
