"""What was bought most often."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import StrOptions


class Popular(BaseEstimator):
    """Counts purchases; of `ties`, the items of the first name come first."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"ties": [StrOptions({"name"})]}

    def __init__(self, ties: str = "name") -> None:
        self.ties = ties

    def fit(self, tables: Mapping[str, pd.DataFrame], y: Any = None) -> Popular:
        bought = tables["purchases"]
        counted = bought["item"].value_counts().rename_axis("item").reset_index(name="times")
        self.items_ = counted.sort_values(["times", "item"], ascending=[False, True])["item"].tolist()
        self.owned_ = {user: sorted({*items}) for user, items in bought.groupby("user")["item"]}
        return self

    def recommend(self, user: object, most: int) -> list[str]:
        owned = self.owned_.get(user, [])
        return [item for item in self.items_ if item not in owned][:most]
