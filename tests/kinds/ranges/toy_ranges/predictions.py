"""What a box says of rows: whether they lie in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from penstock.components.schema import Schema
from penstock.problems.predictions import Output, Predictions

INSIDE = "inside"


class Inside(Predictions):
    """Whether each row lies in all ranges."""

    gives = "whether a row lies in all ranges"

    @property
    def possible(self) -> tuple[str, ...]:
        return (INSIDE,)

    def table(self, features: pd.DataFrame, asked: Sequence[str]) -> pd.DataFrame:
        held = self.pipeline.predict(features) if len(features) else np.empty(0, dtype=bool)
        return pd.DataFrame({INSIDE: held}, index=features.index)

    @staticmethod
    def outputs(schema: Schema) -> list[Output]:
        return [Output("boolean", INSIDE)]
