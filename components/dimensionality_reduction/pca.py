"""Principal components, as many as there can be."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from sklearn import decomposition


class PCA(decomposition.PCA):  # type: ignore[misc]
    """scikit-learn's principal components, but all of them where fewer columns or rows exist than were asked for.

    How many columns a table becomes hangs on the levels in each fold, so a pipeline file cannot know it.
    """

    def _fit(self, X: Any) -> Any:
        asked = self.n_components  # type: ignore[has-type]
        if isinstance(asked, Integral):
            self.n_components = min(asked, *(X if hasattr(X, "shape") else np.asarray(X)).shape)
        try:
            return super()._fit(X)
        finally:
            self.n_components = asked
