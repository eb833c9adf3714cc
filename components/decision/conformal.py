"""How far sets and intervals must reach to cover the truth as often as asked (MAPIE's conformal prediction).

The scores come from predictions for rows that their model had not seen, the model itself is fitted on all of them, as
in cross-conformal prediction with the method "base".
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

Array = np.ndarray[Any, Any]


class _GivenProbabilities(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A fitted classifier whose features are its probabilities."""

    def __init__(self, n_classes: int) -> None:
        self.n_classes = n_classes

    @property
    def classes_(self) -> Array:
        return np.arange(self.n_classes)

    def fit(self, X: Array, y: Array) -> _GivenProbabilities:
        return self

    def predict_proba(self, X: Array) -> Array:
        return X

    def predict(self, X: Array) -> Array:
        answers: Array = X.argmax(axis=1)
        return answers

    def __sklearn_is_fitted__(self) -> bool:
        return True


class _GivenValues(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A fitted regression whose one feature is its prediction."""

    n_features_in_ = 1

    def fit(self, X: Array, y: Array) -> _GivenValues:
        return self

    def predict(self, X: Array) -> Array:
        return X[:, 0]

    def __sklearn_is_fitted__(self) -> bool:
        return True


def fewest_rows(coverage: float) -> int:
    """With fewer rows no finite score is large enough, or MAPIE sees none that is small enough."""
    return math.ceil(round(max(1 / (1 - coverage), 1 / coverage), 9))


def strangeness_of_sets(y: Array, probabilities: Array, coverage: float) -> float:
    """How improbable a class may be and still belong to the set, by the least ambiguous sets (LAC)."""
    from mapie.classification import SplitConformalClassifier
    from mapie.conformity_scores import LACConformityScore

    score = LACConformityScore()
    estimator = _GivenProbabilities(probabilities.shape[1])
    sets = SplitConformalClassifier(estimator, confidence_level=coverage, conformity_score=score, prefit=True)
    sets.conformalize(probabilities, y)
    sets.predict_set(probabilities[:1])
    return float(np.ravel(score.quantiles_)[0])


def reach_of_intervals(y: Array, prediction: Array, coverage: float) -> float:
    """How far an interval must go to either side of the prediction."""
    from mapie.regression import SplitConformalRegressor

    intervals = SplitConformalRegressor(_GivenValues(), confidence_level=coverage, prefit=True)
    intervals.conformalize(prediction[:, None], y)
    _, ends = intervals.predict_interval(np.zeros((1, 1)))
    return float(ends[0, 1, 0])
