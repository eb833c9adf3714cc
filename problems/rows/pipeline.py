"""Fit a whole pipeline: preparation and model, on rows with their copies, balanced as planned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.pipeline import Pipeline

from penstock.components.balancing.balance import balance
from penstock.components.naming import set_feature_names
from penstock.components.preprocessing.plan import Plan
from penstock.components.preprocessing.preparation import build_preparation, feature_names, fit_steps, with_copies

Array = np.ndarray[Any, Any]


def fit_pipeline(
    plan: Plan,
    model: Any,
    frame: pd.DataFrame,
    y: Array | None,
    weight: Array | None,
    *,
    words: Mapping[str, Array] | None = None,
    balanced: bool = True,
    seed: int,
) -> Pipeline:
    """`words`: what codes stand for. `balanced`: whether the plan's balancing applies to this model; the baseline is
    fitted without."""
    preparation = build_preparation(plan, seed=seed)
    training, origin = with_copies(plan, frame)
    y = None if y is None else y[origin]
    weight = None if weight is None else weight[origin]
    matrix = fit_steps(preparation, training, y)
    if plan.balance and y is not None and balanced:
        matrix, y, weight = balance(plan.balance, matrix, y, weight, seed=seed)
    model = set_feature_names(model, lambda: feature_names(preparation), words or {})
    model.fit(matrix, y, **({} if weight is None else {"sample_weight": weight}))
    return Pipeline([*preparation.steps, ("model", model)])
