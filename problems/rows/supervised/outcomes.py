"""What came true of rows, and what was predicted of them: as recorded, or else as the model predicts now."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.evaluation.metrics import default_metric, metric, response_of
from penstock.components.schema import Label, encode_target, texts
from penstock.model import PenstockModel
from penstock.problems.outcomes import Outcomes
from penstock.problems.rows.columns import PREDICTION, PROBABILITY

Array = np.ndarray[Any, Any]


def outcomes(model: PenstockModel, rows: pd.DataFrame, metric_name: str | None) -> Outcomes | None:
    """None where the rows have no column with outcomes."""
    schema = model.schema
    if schema.target not in rows.columns:
        return None
    classes = schema.classes or []
    scorer = metric(metric_name or default_metric(len(classes)), len(classes))
    known = rows[_known(rows[schema.target], classes)].reset_index(drop=True)
    predicted = _probabilities(model, known, classes) if classes else _values(model, known)
    if classes:
        predicted = response_of(scorer, predicted, model.predictions.decide(predicted))
    return Outcomes(known, encode_target(known[schema.target], schema), predicted, scorer)


def _known(values: pd.Series[Any], classes: list[Label]) -> pd.Series[bool]:
    if not classes:
        return pd.to_numeric(values, errors="coerce").notna()
    return texts(values).isin([str(text) for text in texts(pd.Series(classes))])


def _values(model: PenstockModel, rows: pd.DataFrame) -> Array:
    found = rows[PREDICTION] if PREDICTION in rows.columns else model.predict(rows, enforce=False)
    return found.to_numpy(dtype=float)


def _probabilities(model: PenstockModel, rows: pd.DataFrame, classes: list[Label]) -> Array:
    names = [f"{PROBABILITY}{label}" for label in classes]
    if set(names) <= set(rows.columns):
        return rows[names].to_numpy(dtype=float)
    return model.predict_proba(rows, enforce=False).to_numpy()
