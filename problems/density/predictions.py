"""What a density gives: the logarithm of each row's density, and whether the row is rare."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from penstock.components.schema import Schema, texts
from penstock.problems.predictions import Output, Predictions
from penstock.problems.rows.columns import OUTLIER

LOG_DENSITY = "log_density"


class LogDensities(Predictions):
    """How usual each row is."""

    recorded = (OUTLIER,)
    gives = "the log density and whether a row is an outlier"

    @property
    def possible(self) -> tuple[str, ...]:
        return (LOG_DENSITY, OUTLIER)

    def table(self, features: pd.DataFrame, asked: Sequence[str]) -> pd.DataFrame:
        logs = np.asarray(self.pipeline.score_samples(features)) if len(features) else np.empty(0)
        rare = logs < getattr(self.last, "threshold_", -np.inf)
        found = pd.DataFrame({LOG_DENSITY: logs, OUTLIER: rare}, index=features.index)
        return found[[name for name in found.columns if name in asked]]

    @staticmethod
    def outputs(schema: Schema) -> list[Output]:
        return [Output("double", LOG_DENSITY), Output("boolean", OUTLIER)]

    def watched(self, table: pd.DataFrame) -> pd.DataFrame:
        found = super().watched(table)
        return found.assign(outlier=texts(found[OUTLIER])) if OUTLIER in found.columns else found
