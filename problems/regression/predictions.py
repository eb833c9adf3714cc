"""Predictions of a regression: numbers, and intervals around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.schema import Schema
from penstock.problems.predictions import Output, Predictions
from penstock.problems.rows.columns import PREDICTION


class ValuePredictions(Predictions):
    """The value of each row."""

    recorded = (PREDICTION,)
    with_coverage = "predict_interval"

    @property
    def possible(self) -> tuple[str, ...]:
        return ("value", *(("interval",) if self.covers else ()))

    def table(self, features: pd.DataFrame, asked: Sequence[str]) -> pd.DataFrame:
        prediction = self.predict(features)
        columns = [prediction.to_frame()] if "value" in asked else []
        if "interval" in asked:
            columns.append(self._intervals(prediction))
        return pd.concat(columns, axis=1) if len(columns) > 1 else columns[0]

    def predict(self, features: pd.DataFrame) -> pd.Series[Any]:
        values = self.pipeline.predict(features) if len(features) else ()
        return pd.Series(np.asarray(values, dtype="float64"), index=features.index, name=PREDICTION)

    def predict_interval(self, features: pd.DataFrame) -> pd.DataFrame:
        self.require_coverage()
        return self._intervals(self.predict(features))

    @property
    def covers(self) -> bool:
        return hasattr(self.last, "half_width")

    @staticmethod
    def outputs(schema: Schema) -> list[Output]:
        return [Output("double", PREDICTION)]

    def _intervals(self, prediction: pd.Series[Any]) -> pd.DataFrame:
        ends = self.last.intervals(prediction.to_numpy())
        return pd.DataFrame(ends, index=prediction.index, columns=["low", "high"])
