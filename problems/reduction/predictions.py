"""What a reduction gives: new columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from penstock.components.schema import Schema
from penstock.problems.predictions import Predictions

COMPONENT = "component_"


class ReducedColumns(Predictions):
    """The new columns of each row."""

    gives = "the new columns"

    @property
    def possible(self) -> tuple[str, ...]:
        return ("components",)

    def table(self, features: pd.DataFrame, asked: Sequence[str]) -> pd.DataFrame:
        names = self.names
        found = self.pipeline.transform(features) if len(features) else np.empty((0, len(names)))
        return pd.DataFrame(np.asarray(found), index=features.index, columns=names)

    @property
    def names(self) -> list[str]:
        """Of the new columns."""
        return [f"{COMPONENT}{number}" for number in range(1, len(self.last.get_feature_names_out()) + 1)]

    @staticmethod
    def outputs(schema: Schema) -> None:
        """How many columns it makes is not in the schema."""
