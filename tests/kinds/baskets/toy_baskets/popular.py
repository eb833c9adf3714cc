"""What was bought most often by people of like age."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import StrOptions

YOUNG = 45
BANDS = ("young", "older")
PLACES = 3


class Popular(BaseEstimator):
    """Counts purchases, of users of the same age band where the user is known; `order` says which come first."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "order": [StrOptions({"most", "least"})],
        "ties": [StrOptions({"first", "last"})],
    }

    def __init__(self, order: str = "most", ties: str = "first") -> None:
        self.order = order
        self.ties = ties

    def fit(self, tables: Mapping[str, pd.DataFrame], y: Any = None) -> Popular:
        bought, users = tables["purchases"], tables["users"]
        bands = np.where(users["age"] < YOUNG, *BANDS).tolist()
        self.bands_ = dict(zip(users["user"].astype(str), bands, strict=True))
        band = bought["user"].map(self.bands_)
        self.items_ = self._ranked(bought["item"])
        self.items_of_band_ = {one: self._ranked(bought["item"][band == one]) for one in BANDS}
        return self

    def recommend(self, user: object) -> list[str]:
        band = self.bands_.get(str(user))
        return (self.items_ if band is None else self.items_of_band_[band])[:PLACES]

    def _ranked(self, items: pd.Series[Any]) -> list[str]:
        counted = items.value_counts().rename_axis("item").reset_index(name="times")
        by_name = counted.sort_values("item", ascending=self.ties == "first", kind="stable")
        ranked = by_name.sort_values("times", ascending=self.order == "least", kind="stable")
        return [str(item) for item in ranked["item"]]
