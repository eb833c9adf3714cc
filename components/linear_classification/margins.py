"""What linear classifiers share: weights per class, answers by the largest score, probabilities of the scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit, log_softmax, softmax
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from penstock.components.centring import mean_of

Array = np.ndarray[Any, Any]

LOG_SCALES = (-7.0, 12.0)
MAX_STEPS = 60
CLOSE = 1e-6
USUAL = (1e-2, 1e2)


class MarginClassifier(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Subclasses find the weights. Of two classes there is one score, from zero on for the second; of more, one each.

    A constant under the penalty, as in books whose weights contain it, is the weight of a column of ones.

    Probabilities are the logistic function (of more classes the softmax) of the scores times one number. Where the
    loss is logistic this is 1; else it is the one under which the training rows are likeliest, with Platt's correction
    for few rows. So a probability never disagrees with the method's own answer; on rows that were overfitted it is too
    sure, which `decision.calibrate` corrects on rows not trained on.

    Attributes
    ----------
    coef_ : ndarray of shape (1 or classes, columns)
    intercept_ : ndarray of shape (1 or classes,)
    scale_ : float
        What scores are multiplied by to be log-odds.
    """

    fit_intercept = True
    penalise_intercept = False

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        if not (counted := weight > 0).all():
            X, y, weight = X[counted], y[counted], weight[counted]
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes, but the data holds one class: {self.classes_.tolist()[0]!r}"
            )
        self.coef_, self.intercept_ = self._road()(X, codes, weight)
        self.scale_ = self._likeliest_scale(X @ self.coef_.T + self.intercept_, codes, weight)
        return self

    def _road(self) -> Callable[[Array, Array, Array], tuple[Array, Array]]:
        if not self.fit_intercept:
            return self._learn
        if self.penalise_intercept:
            return self._learn_all_penalised
        return self._learn_around_the_middle if self._same_anywhere else self._learn

    @property
    def _same_anywhere(self) -> bool:
        """Whether a free constant makes it the same problem wherever zero is."""
        return False

    def _learn_around_the_middle(self, X: Array, codes: Array, weight: Array) -> tuple[Array, Array]:
        """A free constant makes up for any move of the columns, and solvers find it near zero."""
        middle = mean_of(X, weight)
        coef, constant = self._learn(X - middle, codes, weight)
        return coef, constant - coef @ middle

    def _learn_all_penalised(self, X: Array, codes: Array, weight: Array) -> tuple[Array, Array]:
        without = clone(self).set_params(fit_intercept=False)
        weights, _ = without._learn(np.column_stack([X, np.ones(len(X))]), codes, weight)
        self.n_iter_ = without.n_iter_
        return weights[:, :-1], weights[:, -1]

    @abstractmethod
    def _learn(self, X: Array, codes: Array, weight: Array) -> tuple[Array, Array]:
        """Weights and intercepts: one row of two classes, else one for each class."""

    def _likeliest_scale(self, scores: Array, codes: Array, weight: Array) -> float:
        return likeliest_scale(scores, codes, weight)

    def decision_function(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        scores: Array = X @ self.coef_.T + self.intercept_
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> Array:
        scores = self.decision_function(X)
        chosen = (scores >= 0).astype(np.int64) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[chosen]  # type: ignore[no-any-return]

    def predict_proba(self, X: Any) -> Array:
        check_is_fitted(self)
        scores = self.scale_ * self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([expit(-scores), expit(scores)])
        return softmax(scores, axis=1)  # type: ignore[no-any-return]


def likeliest_scale(scores: Array, codes: Array, weight: Array) -> float:
    """What scores, a column of two classes or one each of more, are multiplied by to be log-odds of these rows."""
    size = float(np.abs(scores).max())
    if size == 0.0 or not np.isfinite(size):
        return 1.0
    counts = np.bincount(codes, weights=weight, minlength=max(2, scores.shape[1]))
    # Platt: a class of n rows is not surer than (n + 1) / (n + 2), so that separable rows give finite log-odds.
    sure = ((counts + 1) / (counts + 2))[codes]
    if scores.shape[1] == 1:
        return _scale_of_two(scores[:, 0] / size, np.where(codes == 1, sure, 1 - sure), weight) / size
    scores = scores / size
    others = ((1 - sure) / (len(counts) - 1))[:, None] * np.ones(len(counts))
    targets = np.where(np.arange(len(counts)) == codes[:, None], sure[:, None], others) * weight[:, None]

    def unlikely(log_scale: float) -> float:
        return -float(np.sum(targets * log_softmax(np.exp(log_scale) * scores, axis=1)))

    return float(np.exp(minimize_scalar(unlikely, bounds=LOG_SCALES, method="bounded").x) / size)


def _scale_of_two(scores: Array, proba: Array, weight: Array) -> float:
    """Of two classes the likelihood is concave in the scale, and its slope has one root: found by Newton's steps."""
    low, high = np.exp(LOG_SCALES[0]), np.exp(LOG_SCALES[1])
    pulls, squares = weight * scores, weight * scores**2

    def slope_and_bend(scale: float) -> tuple[float, float]:
        said = expit(scale * scores)
        return float(pulls @ (proba - said)), -float(squares @ (said * (1 - said)))

    scale = 1.0
    for _ in range(MAX_STEPS):
        slope, bend = slope_and_bend(scale)
        low, high = (scale, high) if slope > 0 else (low, scale)
        nearer = scale - slope / bend if bend < 0 else high
        # Beyond what is known to hold the root, half-way between its ends, by their orders.
        nearer = nearer if low < nearer < high else float(np.sqrt(low * high))
        if abs(nearer - scale) <= CLOSE * scale:
            return nearer
        scale = nearer
    return scale


def unit_of(X: Array) -> float:
    """What to divide columns by whose usual size is far from 1: solvers stop at small slopes, whatever the unit."""
    largest = np.abs(X).max(axis=0)
    if not largest.any():
        return 1.0
    usual = float(np.median(largest[largest > 0]))
    return 1.0 if USUAL[0] <= usual <= USUAL[1] else usual


def penalty_in(unit: float, lam: float, power: float) -> float:
    """The penalty of |weight|^power after columns were divided by a unit."""
    if unit == 1.0 or lam == 0:
        return lam
    return float(np.exp(np.log(lam) - power * np.log(unit)))


def one_against_rest(codes: Array) -> Array:
    """Labels of -1 and 1: one column of two classes, else one for each class."""
    classes = int(codes.max()) + 1
    if classes == 2:
        return np.where(codes == 1, 1.0, -1.0)[:, None]
    return np.where(codes[:, None] == np.arange(classes), 1.0, -1.0)
