"""How far sets and intervals must reach to cover the truth as often as asked (MAPIE's conformal prediction).

The scores come from predictions for rows that their model had not seen, the model itself is fitted on all of them, as
in cross-conformal prediction with the method "base". MAPIE knows no weights of rows: where there are some, the quantile
of the scores is taken here, by the same rule.
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


def weighted_reach(scores: Array, weight: Array, coverage: float) -> float:
    """The least score below which lies this share of the weight, that of the row to come included.

    That row is taken to count as much as rows of this weight do on average over the weight, so that rows which count
    alike give the usual rank, the (n + 1) x coverage-th, of as many rows as they are worth (weighted conformal
    prediction: Tibshirani and others, 2019). Infinite where the rows are worth too few.
    """
    order = np.argsort(scores, kind="stable")
    passed = np.cumsum(weight[order])
    to_come = (weight**2).sum() / weight.sum()
    enough = np.flatnonzero(passed >= coverage * (passed[-1] + to_come) * (1 - 1e-12))
    return float(scores[order][enough[0]]) if len(enough) else math.inf


def nonconformity_quantile(y: Array, probabilities: Array, coverage: float, weight: Array | None = None) -> float:
    """How improbable a class may be and still belong to the set, by the least ambiguous sets (LAC)."""
    if weight is not None:
        return min(1.0, weighted_reach(1 - probabilities[np.arange(len(y)), y], weight, coverage))
    from mapie.classification import SplitConformalClassifier
    from mapie.conformity_scores import LACConformityScore

    score = LACConformityScore()
    estimator = _GivenProbabilities(probabilities.shape[1])
    sets = SplitConformalClassifier(estimator, confidence_level=coverage, conformity_score=score, prefit=True)
    sets.conformalize(probabilities, y)
    sets.predict_set(probabilities[:1])
    return float(np.ravel(score.quantiles_)[0])


def half_width_of_intervals(y: Array, prediction: Array, coverage: float, weight: Array | None = None) -> float:
    """How far an interval must go to either side of the prediction."""
    if weight is not None:
        return weighted_reach(np.abs(y - prediction), weight, coverage)
    from mapie.regression import SplitConformalRegressor

    intervals = SplitConformalRegressor(_GivenValues(), confidence_level=coverage, prefit=True)
    intervals.conformalize(prediction[:, None], y)
    _, ends = intervals.predict_interval(np.zeros((1, 1)))
    return float(ends[0, 1, 0])
