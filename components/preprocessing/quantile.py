"""Numbers as their rank."""

from __future__ import annotations

import warnings
from typing import Any, Self

from sklearn import preprocessing


class QuantileTransformer(preprocessing.QuantileTransformer):  # type: ignore[misc]
    """scikit-learn's, but silent where rows are fewer than quantiles, which are then as many, or a column is empty."""

    def fit(self, X: Any, y: Any = None) -> Self:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="n_quantiles", category=UserWarning)
            warnings.filterwarnings("ignore", message="All-NaN slice", category=RuntimeWarning)
            super().fit(X, y)
        return self
