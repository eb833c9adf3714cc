"""What a model predicts for rows whose targets are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.schema import ROW_ID, encode_target
from penstock.evidence.evidence import Evidence
from penstock.model import PenstockModel
from penstock.problems.rows.groups import groups_of
from penstock.problems.rows.supervised.prediction import predict

Array = np.ndarray[Any, Any]


def evidence_of(model: PenstockModel, frame: pd.DataFrame) -> Evidence:
    """With the predictions of a model that has a rule of its own for them, and what it would promise uncalibrated."""
    schema = model.schema
    assert schema.target is not None
    weighing = schema.named("weight")
    prediction = predict(model.pipeline, frame, len(schema.classes or []))
    answers = model.predictions.decide(prediction)
    calibrated = getattr(model.pipeline[-1], "calibrator", None) is not None
    return Evidence(
        frame[ROW_ID].to_numpy(str),
        {
            "prediction": prediction,
            **({} if answers is None else {"labels": answers}),
            **({"uncalibrated": _uncalibrated(model, frame)} if calibrated else {}),
        },
        {"y": encode_target(frame[schema.target], schema)},
        groups=groups_of(schema, frame),
        weight=frame[weighing].to_numpy() if weighing else None,
    )


def _uncalibrated(model: PenstockModel, frame: pd.DataFrame) -> Array:
    rule, matrix = model.pipeline[-1], model.pipeline[:-1].transform(frame)
    return predict(rule.estimator_, matrix, len(model.schema.classes or []))
