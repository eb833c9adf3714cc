"""Shapley values of the columns as they came, by the extra package shap."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.evaluation.intervals import mean_interval
from penstock.components.explanation.permutation_importance import Predict
from penstock.errors import UsageError

Array = np.ndarray[Any, Any]

ROWS = 60
BACKGROUND = 20


def require_shap() -> None:
    if find_spec("shap") is None:
        raise UsageError(
            "PEN046",
            "Shapley values need shap, which is not installed",
            where="evaluation.shap",
            remedy="pip install 'penstock[explain]'",
        )


def shapley_values(
    predict: Predict, frame: pd.DataFrame, background: pd.DataFrame, columns: list[str], *, seed: int
) -> dict[str, Any]:
    """What each column adds to the prediction of single rows, over the mean prediction for the background rows.

    shap mixes numbers, and columns hold words and dates too: it is given, in place of a value, the row to take it from.
    Of several classes, what is told is the mean size over them.
    """
    require_shap()
    import shap

    shown, usual = frame.iloc[:ROWS], background.iloc[:BACKGROUND]
    both = pd.concat([usual[columns], shown[columns]], ignore_index=True)
    codes = np.repeat(np.arange(len(both), dtype=float)[:, None], len(columns), axis=1)

    def of_rows(taken: Array) -> Array:
        places = np.asarray(taken).astype(int)
        mixed = {name: both[name].iloc[places[:, place]].to_numpy() for place, name in enumerate(columns)}
        answers = predict(pd.DataFrame(mixed).astype(both.dtypes.to_dict()))
        return answers[:, 1] if answers.ndim == 2 and answers.shape[1] == 2 else answers

    masker = shap.maskers.Independent(codes[: len(usual)], max_samples=len(usual))
    explainer = shap.PermutationExplainer(of_rows, masker, seed=seed)
    values = np.asarray(explainer(codes[len(usual) :], max_evals=2 * len(columns) + 1, silent=True).values)
    sizes = np.abs(values) if values.ndim == 2 else np.abs(values).mean(axis=2)
    found = [
        {"column": name, **mean_interval(sizes[:, place], seed=seed).model_dump()} for place, name in enumerate(columns)
    ]
    found.sort(key=lambda one: -one["value"])
    points = {name: values[:, place].tolist() for place, name in enumerate(columns)} if values.ndim == 2 else {}
    ranks = {name: _ranks(both[name].iloc[len(usual) :]) for name in points}
    return {"columns": found, "rows": len(shown), "points": points, "ranks": ranks}


def _ranks(values: pd.Series[Any]) -> list[float | None]:
    """From 0, the lowest value, to 1; none of what is missing."""
    return [None if np.isnan(rank) else float(rank) for rank in values.rank(pct=True)]
