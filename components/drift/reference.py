"""What a model keeps of its rows, so that later ones can be compared with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.drift.windows import draw, units_of
from penstock.components.schema import Schema

PART = "_part"
LEARNING, TEST = "train", "test"
MAX_ROWS = 2000
MAX_LEVELS = 1000
KEPT = ("target", "group", "weight")


def reference_rows(train: pd.DataFrame, test: pd.DataFrame, schema: Schema, seed: int) -> pd.DataFrame:
    """A bounded sample of the training rows, which inputs are compared with, and of the test rows, which answers and
    scores are compared with: of training rows, a model says more than it knows. Groups stay whole."""
    kept = [column.name for column in (*schema.features, *(one for one in schema.columns if one.role in KEPT))]
    parts = []
    for name, rows in ((LEARNING, train), (TEST, test)):
        drawn = sample(rows, schema.named("group"), MAX_ROWS, seed)
        parts.append(drawn[[column for column in kept if column in rows.columns]].assign(**{PART: name}))
    return pd.concat(parts, ignore_index=True)


def sample(rows: pd.DataFrame, group: str | None, most: int, seed: int) -> pd.DataFrame:
    """About `most` rows at most, in their order."""
    if len(rows) <= most:
        return rows
    units = units_of(rows[group] if group in rows.columns else None, len(rows))
    return rows.iloc[np.flatnonzero(draw(units, most, 1, np.random.default_rng(seed))[0])]


def known_values(train: pd.DataFrame, schema: Schema) -> dict[str, Any]:
    """Of all training rows: the levels of each column that has few enough, the ends of each that is a quantity."""
    known: dict[str, Any] = {}
    for column in schema.features:
        values = train[column.name].dropna()
        if column.role == "nominal" and values.nunique() <= MAX_LEVELS:
            known[column.name] = {"levels": sorted(values.unique().tolist())}
        elif column.role == "numeric" and len(values):
            known[column.name] = {"min": float(values.min()), "max": float(values.max())}
    return known


def unseen_values(recent: pd.DataFrame, known: dict[str, Any]) -> list[dict[str, Any]]:
    """Recent values that no training row had: levels that are new, numbers beyond the ends."""
    found = []
    for name, facts in known.items():
        values = recent[name].dropna() if name in recent.columns else pd.Series(dtype=float)
        inside = values.isin(facts["levels"]) if "levels" in facts else values.between(facts["min"], facts["max"])
        strange = values[~inside]
        if len(strange):
            examples = [str(value) for value in strange.value_counts().index[:5]]
            share = len(strange) / len(recent)
            found.append({"column": name, "rows": len(strange), "share": share, "examples": examples})
    return found
