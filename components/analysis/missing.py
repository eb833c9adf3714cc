"""What is missing, where, and what is missing together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.schema import Schema

MAX_PATTERNS = 10
MAX_PAIRS = 20
TOGETHER = 0.3  # correlation of the gaps of two columns from which on they are said to go together
MIN_GAPS = 5


def missing(frame: pd.DataFrame, schema: Schema) -> dict[str, Any]:
    """Shares by column, the commonest patterns over columns, and pairs of columns whose gaps go together."""
    names = [column.name for column in schema.features]
    gaps = frame[names].isna()
    shares = gaps.mean().sort_values(ascending=False, kind="stable")
    holed = [name for name in shares.index if shares[name] > 0]
    return {
        "cells": float(gaps.to_numpy().mean()) if gaps.size else 0.0,
        "complete_rows": int((~gaps.any(axis=1)).sum()),
        "rows": len(frame),
        "columns": [
            {"column": str(name), "rows": int(gaps[name].sum()), "share": float(shares[name])} for name in holed
        ],
        "patterns": _patterns(gaps[holed]),
        "together": _together(gaps[holed]),
    }


def _patterns(gaps: pd.DataFrame) -> list[dict[str, Any]]:
    """Sets of columns that are missing in the same rows, the commonest first; rows with no gap are a pattern too."""
    if not gaps.shape[1]:
        return []
    # Rows as bytes: a group-by over many boolean columns would be slow.
    packed = np.packbits(gaps.to_numpy(), axis=1)
    _, first, counts = np.unique(packed, axis=0, return_index=True, return_counts=True)
    order = np.lexsort((first, -counts))[:MAX_PATTERNS]
    names = np.asarray(gaps.columns, dtype=object)
    return [
        {
            "columns": [str(name) for name in names[gaps.iloc[int(first[place])].to_numpy()]],
            "rows": int(counts[place]),
            "share": float(counts[place] / len(gaps)),
        }
        for place in order
    ]


def _together(gaps: pd.DataFrame) -> list[dict[str, Any]]:
    """`if_other` is how often the column is missing where the other is, `else_` how often where the other is known."""
    counts = gaps.sum()
    names = [name for name in gaps.columns if MIN_GAPS <= counts[name] <= len(gaps) - MIN_GAPS]
    if len(names) < 2:
        return []
    holes = gaps[names].to_numpy(dtype=np.float64)
    correlation = np.corrcoef(holes.T)
    both = holes.T @ holes
    pairs: list[dict[str, Any]] = []
    for one, other in zip(*np.nonzero(np.triu(correlation > TOGETHER, 1)), strict=True):
        with_other = both[one, other] / both[other, other]
        without = (both[one, one] - both[one, other]) / (len(gaps) - both[other, other])
        pairs.append(
            {
                "column": str(names[one]),
                "other": str(names[other]),
                "correlation": float(correlation[one, other]),
                "if_other": float(with_other),
                "else_": float(without),
            }
        )
    return sorted(pairs, key=lambda pair: -pair["correlation"])[:MAX_PAIRS]
