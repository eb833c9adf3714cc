"""What kind of variable each column is, what the preparation makes of it, and the family of its distribution."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.schema import Column, Schema, target_type_of
from penstock.components.schema.target import Proposals

# What each kind becomes, as the preparation does it, and the family that naive Bayes and mixtures would give it.
KINDS: dict[str, tuple[str, str | None]] = {
    "real": ("number, scaled", "Gaussian"),
    "count": ("number, scaled", "Gaussian"),
    "binary": ("0 or 1", "Bernoulli"),
    "nominal": ("one column a level", "categorical"),
    "ordinal": ("place among the levels, scaled", "categorical"),
    "date": ("parts of the date, scaled", None),
    "text": ("topics of its words", None),
}


def kinds(frame: pd.DataFrame, schema: Schema) -> list[dict[str, Any]]:
    """One kind, one encoder and, where it makes sense, one family of distributions for each feature."""
    found = []
    for column in schema.features:
        kind = kind_of(frame[column.name], column)
        encoder, family = KINDS[kind]
        found.append({"column": column.name, "role": column.role, "kind": kind, "encoder": encoder, "family": family})
    return found


def kind_of(values: pd.Series[Any], column: Column) -> str:
    """Quantities are counts where all values are whole and none is negative, real otherwise."""
    if column.role == "numeric":
        known = values.dropna().to_numpy(dtype=np.float64)
        return "count" if len(known) and bool((known >= 0).all() and (known % 1 == 0).all()) else "real"
    return "binary" if column.role == "boolean" else column.role


def task(frame: pd.DataFrame, schema: Schema, goal: str, proposals: Proposals) -> dict[str, Any]:
    """What is asked of the data: what it is answered from, what a good answer is for, and which problem the target's
    own values suggest."""
    return {
        "problem": schema.problem,
        "inputs": [column.name for column in schema.features],
        "target": schema.target,
        "goal": goal,
        "suggested": proposals[None if schema.target is None else target_type_of(frame[schema.target])[0]],
    }
