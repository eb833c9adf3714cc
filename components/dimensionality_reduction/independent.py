"""Independent components, as many as there can be."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn import decomposition
from sklearn.exceptions import ConvergenceWarning

from penstock.components.centring import mean_of


class ICA(decomposition.FastICA):  # type: ignore[misc]
    """scikit-learn's FastICA, but no more components than independent columns, and content with its rounds.

    The indicators of a nominal column add up to one; whitening would blow up the direction in which they never differ.
    """

    def _fit_transform(self, X: Any, compute_sources: bool = False) -> Any:
        asked = self.n_components  # type: ignore[has-type]
        values = np.asarray(X)
        if values.ndim == 2 and values.dtype.kind == "f" and values.size and np.isfinite(values).all():
            rank = int(np.linalg.matrix_rank(values - mean_of(values)))
            if len(values) > 1 and not rank:
                raise ValueError(f"Input X contains no column that varies, so that {type(self).__name__} finds nothing")
            rank = max(1, rank)
            self.n_components = rank if asked is None else min(asked, rank)
        try:
            with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):  # by what is left out
                warnings.simplefilter("ignore", ConvergenceWarning)
                return super()._fit_transform(X, compute_sources=compute_sources)
        finally:
            self.n_components = asked
