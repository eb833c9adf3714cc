"""Gaussian naive Bayes with the variance of either school."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import _safe_indexing
from sklearn.utils._param_validation import Options
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_sample_weight

Array = np.ndarray[Any, Any]


class GaussianNaiveBayes(GaussianNB):  # type: ignore[misc]
    """scikit-learn's Gaussian naive Bayes: argmax of log prior + sum of log N(x_j; mean, variance of the class).

    One book divides a class's squares by its rows (`ddof=0`, maximum likelihood), another by one fewer (`ddof=1`); both
    add nothing to the variance, which is `var_smoothing=0`. A constant column has no evidence for any class, and counts
    for nothing.

    Parameters
    ----------
    ddof : {0, 1}, default=0
        What is subtracted from the number of rows of a class before dividing by it. Rows count by their weight, or as
        they are where they weigh less than one on average.
    var_smoothing : float, default=1e-09
        Share of the largest variance of a column that is added to all.
    priors : array-like of shape (n_classes,) or None, default=None
        Prior probabilities of the classes; None takes the shares of the training rows.

    Attributes
    ----------
    theta_ : ndarray of shape (n_classes, n_features_in_)
        Mean of each column in each class.
    var_ : ndarray of shape (n_classes, n_features_in_)
        Variance of each column in each class.

    Examples
    --------
    >>> from penstock.components.bayes.gaussian import GaussianNaiveBayes
    >>> model = GaussianNaiveBayes(ddof=1, var_smoothing=0).fit([[1.0], [3.0], [6.0], [8.0]], [0, 0, 1, 1])
    >>> model.var_.tolist()
    [[2.0], [2.0]]
    >>> model.predict_proba([[4.5], [7.0]]).round(2).tolist()
    [[0.5, 0.5], [0.0, 1.0]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **GaussianNB._parameter_constraints,
        "ddof": [Options(int, {0, 1})],
    }

    def __init__(self, *, ddof: int = 0, var_smoothing: float = 1e-9, priors: Any = None) -> None:
        super().__init__(priors=priors, var_smoothing=var_smoothing)
        self.ddof = ddof

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
            if not sample_weight.all():  # a class without a row that counts is no class
                used = np.flatnonzero(sample_weight)
                X, y, sample_weight = (_safe_indexing(part, used) for part in (X, y, sample_weight))
        with np.errstate(divide="ignore", invalid="ignore"):
            super().fit(X, y, sample_weight)
        if self.ddof:
            # Weights that sum to one must not make a single row of all.
            rows = self.class_count_ / (1.0 if sample_weight is None else min(1.0, float(np.mean(sample_weight))))
            if rows.min() <= 1:
                few = self.classes_[rows.argmin()]
                raise ValueError(f"class '{few}' has 1 sample, whose variance ddof=1 cannot tell: take ddof=0")
            scale = rows / (rows - 1)
            raw: Array = self.var_ - self.epsilon_
            self.var_: Array = raw * scale[:, None] + self.epsilon_
        self.var_[:, (self.var_ == 0).all(axis=0) & (np.ptp(self.theta_, axis=0) == 0)] = 1.0
        if (self.var_ <= 0).any():
            row, column = np.argwhere(self.var_ <= 0)[0]
            raise ValueError(
                f"class '{self.classes_[row]}' has a single value in column {column}, a bell without width: give a "
                "var_smoothing above 0"
            )
        return self

    @staticmethod
    def _update_mean_variance(n_past: float, mu: Array, var: Array, X: Array, sample_weight: Any = None) -> Any:
        """Of a class: whatever the unit of its weights, and without the rounding of a mean of equal numbers."""
        by = None if sample_weight is None else sample_weight / sample_weight.max()
        mean, variance = GaussianNB._update_mean_variance(n_past, mu, var, X, by)
        single = X.min(axis=0) == X.max(axis=0)
        return np.where(single, X[0], mean), np.where(single, 0.0, variance)

    @available_if(lambda self: False)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Not offered: the corrected variance cannot be added to."""
        raise NotImplementedError
