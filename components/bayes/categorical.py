"""Categorical naive Bayes for any numbers."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.naive_bayes import CategoricalNB
from sklearn.utils._param_validation import Interval, StrOptions

from penstock.components.bayes.binning import Binner
from penstock.components.bayes.fronted import FrontedNaiveBayes

Array = np.ndarray[Any, Any]


class CategoricalNaiveBayes(FrontedNaiveBayes):
    """Naive Bayes of categorical columns: a column's values where they are few, and otherwise bins of equal size.

    Whole numbers, which may be codes of levels, keep their values up to 50 of them; set `bins` to more where there are
    more levels. A level that the training rows lack has no evidence for any class, and its column is left out of the
    product, as are words that no text has.

    The probability of a category in a class is (count + alpha) / (rows of the class + alpha * categories); a book that
    adds the number of all rows below the line has shares that do not sum to one. With `m`, it is the m-estimate
    (count + m p) / (rows of the class + m), p being what one expects of each category before any row is seen; Laplace's
    is m = alpha * categories with the same p for each, and as m grows without end the estimate becomes p.

    Parameters
    ----------
    alpha : float, default=1.0
        Additive smoothing: rows of each category that every class is given beforehand.
    fit_prior : bool, default=True
        Whether the class priors are the shares of the training rows, or uniform.
    bins : int, default=5
        Maximum number of categories of a numeric column.
    m : float or None, default=None
        Number of rows that the prior expectation of the m-estimate counts for; None smooths by `alpha`.
    expected : {"uniform", "overall"} or list of list of float, default="uniform"
        p of the m-estimate: the same for each category, its share in all rows, or for each column the shares of its
        categories.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    pipeline_ : Pipeline
        The step that makes columns categories, and the classifier of categories.

    Examples
    --------
    >>> from penstock.components.bayes.categorical import CategoricalNaiveBayes
    >>> X = [[0], [0], [1], [1], [1], [2]]
    >>> model = CategoricalNaiveBayes().fit(X, ["a", "a", "a", "b", "b", "b"])
    >>> model.predict_proba([[0], [2]]).round(2).tolist()
    [[0.75, 0.25], [0.33, 0.67]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FrontedNaiveBayes._parameter_constraints,
        "bins": [Interval(Integral, 2, None, closed="left")],
        "m": [Interval(Real, 0, None, closed="left"), None],
        "expected": [StrOptions({"uniform", "overall"}), list],
    }

    def __init__(
        self,
        alpha: float = 1.0,
        fit_prior: bool = True,
        bins: int = 5,
        m: float | None = None,
        expected: str | list[list[float]] = "uniform",
    ) -> None:
        super().__init__(alpha=alpha, fit_prior=fit_prior)
        self.bins = bins
        self.m = m
        self.expected = expected

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        super().fit(X, y, sample_weight)
        if self.m is not None:
            model = self.pipeline_[-1]
            rows = model.class_count_[:, None]
            with np.errstate(divide="ignore"):
                model.feature_log_prob_ = [
                    np.log(counts + self.m * self._expected(column, counts)) - np.log(rows + self.m)
                    for column, counts in enumerate(model.category_count_)
                ]
        return self

    def _expected(self, column: int, counts: Array) -> Array:
        categories = counts.shape[1]
        if self.expected == "overall":
            return np.asarray(counts.sum(axis=0) / counts.sum())
        if self.expected == "uniform":
            return np.full(categories, 1 / categories)
        given = self.expected[column] if column < len(self.expected) else []
        shares = np.asarray(given, dtype=float)
        if shares.shape != (categories,) or (shares < 0).any() or abs(shares.sum() - 1) > 1e-9:
            raise ValueError(
                f"'expected' has to give column {column} a share for each of its {categories} categories, which sum to "
                f"one; it gives {given}"
            )
        return shares

    def _joint(self, rows: Array) -> Array:
        model = self.pipeline_[-1]
        joint = np.tile(model.class_log_prior_, (len(rows), 1))
        for codes, shares in zip(rows.T, model.feature_log_prob_, strict=True):
            joint += np.column_stack([shares, np.zeros(len(shares))]).T[codes]  # UNSEEN is the last
        return joint

    def _steps(self) -> tuple[Any, Any]:
        return Binner(self.bins), CategoricalNB(alpha=self.alpha, fit_prior=self.fit_prior)
