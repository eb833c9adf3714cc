"""Probabilities as a classifier whose scores can be calibrated."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy.special import logit
from sklearn.base import BaseEstimator, ClassifierMixin

Array = np.ndarray[Any, Any]


class LogOdds(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Its features are probabilities of the classes, in order; its decision function gives their log-odds.

    On this scale a sigmoid can leave probabilities as they are, and temperature is a factor.

    Parameters
    ----------
    smallest : float
        Probabilities nearer to 0 or 1 count as this far away.
    jointly : bool
        Of more than two classes: logarithms of the probabilities instead of each class's odds against the rest.
    """

    def __init__(self, smallest: float = 1e-6, jointly: bool = False) -> None:
        self.smallest = smallest
        self.jointly = jointly

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X: Any) -> Array:
        given = np.clip(np.asarray(X, dtype=np.float64), self.smallest, 1 - self.smallest)
        if given.shape[1] == 2:
            odds: Array = logit(given[:, 1])
            return odds
        return np.log(given) if self.jointly else np.asarray(logit(given))

    def predict(self, X: Any) -> Array:
        return self.classes_[np.asarray(X).argmax(axis=1)]  # type: ignore[no-any-return]
