"""The library's support vector classifier, of rows around their middle, and a width of weighted rows."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.svm import SVC
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from penstock.components.kernels.kernel import middle_of, resolve_gamma

Array = np.ndarray[Any, Any]


class CentredSVC(SVC):  # type: ignore[misc]
    """scikit-learn's SVC whose width `scale` is by the weights of rows, so that a weight of two is the row twice.

    The rbf kernel is the same wherever zero is; near zero rows have more digits.

    Attributes
    ----------
    middle_ : ndarray of shape (n_features_in_,)
        What is taken off all rows, `support_vectors_` too; zeros of other kernels.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        X, y = validate_data(self, X, y, dtype=np.float64)
        self.middle_ = middle_of(X) if self.kernel == "rbf" else np.zeros(X.shape[1])
        asked = self.gamma  # type: ignore[has-type]
        self.gamma = resolve_gamma(asked, X, None if sample_weight is None else _check_sample_weight(sample_weight, X))
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
