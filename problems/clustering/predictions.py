"""Predictions of a clustering: the cluster of each row, how surely it is assigned, and whether it belongs to none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.schema import Schema, texts
from penstock.problems.predictions import Output, Predictions
from penstock.problems.rows.columns import CONFIDENCE, OUTLIER, PREDICTION, PROBABILITY


class ClusterPredictions(Predictions):
    """The number of each row's cluster; by the assigner if there is one, which gives confidence and outliers too."""

    recorded = (PREDICTION, PROBABILITY, CONFIDENCE, OUTLIER)

    @property
    def possible(self) -> tuple[str, ...]:
        probability = ("probability",) if self._has_probabilities else ()
        return ("cluster", *probability, *(() if self.assigner is None else (CONFIDENCE, OUTLIER)))

    @property
    def usual(self) -> tuple[str, ...]:
        """A confidence tells what probabilities would."""
        return self.possible if self.assigner is None else ("cluster", CONFIDENCE, OUTLIER)

    def table(self, features: pd.DataFrame, asked: Sequence[str]) -> pd.DataFrame:
        assigned = None if self.assigner is None else self._assigned(features)
        columns = []
        if "cluster" in asked:
            prediction = self.predict(features) if assigned is None else assigned[PREDICTION]
            columns.append(prediction.to_frame())
        if "probability" in asked:
            columns.append(self._probabilities(features).add_prefix(PROBABILITY))
        if assigned is not None:
            columns.append(assigned[[name for name in (CONFIDENCE, OUTLIER) if name in asked]])
        return pd.concat(columns, axis=1) if len(columns) > 1 else columns[0]

    def predict(self, features: pd.DataFrame) -> pd.Series[Any]:
        clusters = self.pipeline.predict(features) if len(features) else ()
        return pd.Series(np.asarray(clusters, dtype="int64"), index=features.index, name=PREDICTION)

    def predict_proba(self, features: pd.DataFrame) -> pd.DataFrame:
        return self._probabilities(features) if self._has_probabilities else super().predict_proba(features)

    @staticmethod
    def outputs(schema: Schema) -> list[Output]:
        return [Output("long", PREDICTION), Output("double", CONFIDENCE), Output("boolean", OUTLIER)]

    def watched(self, table: pd.DataFrame) -> pd.DataFrame:
        found = super().watched(table)
        return found.assign(**{name: texts(found[name]) for name in (PREDICTION, OUTLIER) if name in found.columns})

    @property
    def _has_probabilities(self) -> bool:
        return hasattr(self.pipeline, "predict_proba")

    def _probabilities(self, features: pd.DataFrame) -> pd.DataFrame:
        if len(features):
            given = np.asarray(self.pipeline.predict_proba(features), dtype="float64")
        else:
            given = np.zeros((0, int(getattr(self.pipeline[-1], "n_components", 0))))
        return pd.DataFrame(given, index=features.index)

    def _assigned(self, features: pd.DataFrame) -> pd.DataFrame:
        if not len(features):
            nothing = {PREDICTION: "int64", CONFIDENCE: "float64", OUTLIER: "bool"}
            return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in nothing.items()}, index=features.index)
        found = self.assigner.assign(self.pipeline[-1], self.pipeline[:-1].transform(features))
        columns = {PREDICTION: found.labels, CONFIDENCE: found.confidence, OUTLIER: found.outlier}
        return pd.DataFrame(columns, index=features.index)
