"""Numbers as their rank."""

from __future__ import annotations

import warnings
from typing import Any, Self

from sklearn import preprocessing


class QuantileTransformer(preprocessing.QuantileTransformer):  # type: ignore[misc]
    """scikit-learn's, which takes as many quantiles as rows where more were asked for; here it does so silently."""

    def fit(self, X: Any, y: Any = None) -> Self:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="n_quantiles", category=UserWarning)
            super().fit(X, y)
        return self
