"""What is recommended: a table with a row for each user and place, not for each row received."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from penstock.components.schema import Schema
from penstock.problems.predictions import Output, Predictions


class Recommendations(Predictions):
    """The first items for each user."""

    gives = "the first items for each user"
    keys = ("user", "place")
    recorded = ("item",)

    @property
    def possible(self) -> tuple[str, ...]:
        return ("items",)

    def table(self, features: pd.DataFrame, asked: Sequence[str]) -> pd.DataFrame:
        recommended = [
            (user, place, item)
            for user in features["user"].drop_duplicates()
            for place, item in enumerate(self.pipeline.recommend(user), start=1)
        ]
        return pd.DataFrame(recommended, columns=["user", "place", "item"])

    @staticmethod
    def outputs(schema: Schema) -> list[Output]:
        return [Output("string", "user"), Output("long", "place"), Output("string", "item")]
