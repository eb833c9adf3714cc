"""Filling by prediction from the other columns."""

from __future__ import annotations

import warnings
from typing import Any

# Its public name has to be enabled first, since scikit-learn may still change it between versions.
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import _iterative


class IterativeImputer(_iterative.IterativeImputer):  # type: ignore[misc]
    """scikit-learn's, content with the rounds it is given: what still moves after them hardly matters to a model."""

    def fit_transform(self, X: Any, y: Any = None, **params: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return super().fit_transform(X, y, **params)
