"""Non-negative parts, as many as there can be."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn import decomposition
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

Array = np.ndarray[Any, Any]


class NMF(decomposition.NMF):  # type: ignore[misc]
    """scikit-learn's non-negative factorisation, but all parts where fewer columns or rows exist than were asked for.

    Training rows must not be negative. New rows may lie below what training rows held, which after a scaling to 0 and 1
    is below zero: they count as zero.
    """

    def fit_transform(self, X: Any, y: Any = None, W: Any = None, H: Any = None) -> Array:
        shape = (X if hasattr(X, "shape") else np.asarray(X)).shape
        with self._with_parts(min(shape)):
            return np.asarray(super().fit_transform(X, y, W=W, H=H))

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        with self._with_parts(len(self.components_)):
            return np.asarray(super().transform(X.maximum(0) if issparse(X) else np.maximum(X, 0)))

    @contextmanager
    def _with_parts(self, most: int) -> Iterator[None]:
        """No more parts than can be, for the time of a call; and content with its rounds."""
        asked = self.n_components  # type: ignore[has-type]
        self.n_components = min(asked, most) if isinstance(asked, Integral) else asked
        try:
            # Where the parts leave nothing, rounding may leave less than nothing, which has no root.
            with warnings.catch_warnings(), np.errstate(invalid="ignore"):
                warnings.simplefilter("ignore", ConvergenceWarning)
                yield
        finally:
            self.n_components = asked
