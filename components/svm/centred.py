"""The library's support vector classifier, of rows around their middle."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.svm import SVC
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.kernels.kernel import middle_of, resolve_gamma

Array = np.ndarray[Any, Any]


class CentredSVC(SVC):  # type: ignore[misc]
    """scikit-learn's SVC with the rbf kernel, which is the same wherever zero is; near zero rows have more digits.

    Attributes
    ----------
    middle_ : ndarray of shape (n_features_in_,)
        What is taken off all rows, `support_vectors_` too.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        X, y = validate_data(self, X, y, dtype=np.float64)
        self.middle_ = middle_of(X)
        asked = self.gamma  # type: ignore[has-type]
        self.gamma = resolve_gamma(asked, X)
        try:
            super().fit(X - self.middle_, y, sample_weight)
        finally:
            self.gamma = asked
        return self

    def decision_function(self, X: Any) -> Array:
        return np.asarray(super().decision_function(self._moved(X)))

    def predict(self, X: Any) -> Array:
        return np.asarray(super().predict(self._moved(X)))

    def _moved(self, X: Any) -> Array:
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype=np.float64, reset=False) - self.middle_)
