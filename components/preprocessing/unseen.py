"""Levels that rows to be evaluated have, and the rows that a preparation learns from lack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from penstock.components.preprocessing.plan import Plan
from penstock.errors import DataError, examples


def unseen_levels(
    plan: Plan | Mapping[str, Any], train: pd.DataFrame, valid: pd.DataFrame, place: str
) -> dict[str, int]:
    """How many validation rows have such a level, by nominal column; refused where the plan says so."""
    recipe = Plan.model_validate(plan)
    found: dict[str, int] = {}
    for group in recipe.groups:
        for name in group.columns if group.role == "nominal" else ():
            known = train[name].dropna().unique()
            new = valid[name].dropna()
            new = new[~new.isin(known)]
            if new.empty:
                continue
            if recipe.unseen == "refuse":
                raise DataError(
                    "PEN153",
                    f"{len(new)} validation row(s) of {place} have a level of '{name}' that its training rows lack: "
                    f"{examples(new.unique())}",
                    where=f"column '{name}'",
                    remedy="put rare levels together in the data, make fewer folds, or say `preparation: {unseen: "
                    "accept}`, which encodes them as the encoder does",
                )
            found[name] = len(new)
    return found
