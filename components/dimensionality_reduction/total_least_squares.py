"""Regression by distances at right angles to the plane."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

Array = np.ndarray[Any, Any]

TINY = 1e-10
# Beside columns so much larger all error is the target's, to the last digit, and ordinary least squares tell it. Beside
# a target so much larger all error is the columns', and it is the plane's direction that has no part of the target.
FAR_LARGER = 1e8


class TotalLeastSquares(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Total least squares: the plane nearest to rows and targets at right angles.

    It is the principal plane of [X, y], and suits columns that are measured with errors, too. Ordinary least squares
    takes distances along y alone, and its line is flatter. As all errors count alike, columns and target should be in
    comparable units.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Weights of the columns.
    intercept_ : float
        The constant.
    normal_ : ndarray of shape (n_features_in_ + 1,)
        The direction along which [X, y] varies least.

    Examples
    --------
    >>> from penstock.components.dimensionality_reduction.total_least_squares import TotalLeastSquares
    >>> model = TotalLeastSquares().fit([[0.0], [1.0], [2.0]], [0.0, 2.0, 4.0])
    >>> model.predict([[3.0]]).round(2).tolist()
    [6.0]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}

    def fit(self, X: Any, y: Any) -> Self:
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2)
        means, mean = X.mean(axis=0), float(y.mean())
        centred = X - means
        # Along directions in which the columns never differ there is no slope to be found.
        left, values, directions = np.linalg.svd(centred, full_matrices=False)
        useful = values > TINY * values[0]
        kept = directions[useful]
        length = float(np.linalg.norm(y - mean))
        if useful.any() and values[useful][-1] > FAR_LARGER * length:
            self.coef_ = kept.T @ ((left[:, useful].T @ (y - mean)) / values[useful])
            self.intercept_ = mean - float(means @ self.coef_)
            self.normal_ = np.r_[-self.coef_, 1.0]
            return self
        if length > FAR_LARGER * values[0]:
            found = _normals_beside(centred @ kept.T, (y - mean) / length, length)
        else:
            table = np.column_stack([centred @ kept.T, y - mean])
            _, _, found = np.linalg.svd(table, full_matrices=len(table) < table.shape[1])
        # The direction of least variance that is not level: a plane that stands upright has no slope.
        steepest = values[0] / length if length > values[0] else 1.0
        sloping = np.abs(found[:, -1]) > TINY * steepest
        normal = found[np.flatnonzero(sloping)[-1]]
        self.coef_ = kept.T @ (-normal[:-1] / normal[-1])
        self.intercept_ = mean - float(means @ self.coef_)
        self.normal_ = np.r_[kept.T @ normal[:-1], normal[-1]]
        return self

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        answers: Array = X @ self.coef_ + self.intercept_
        return answers


def _normals_beside(columns: Array, along: Array, length: float) -> Array:
    """Of a target far larger than the columns, itself first: what of it a direction takes is too little to see."""
    shares = along @ columns
    _, _, directions = np.linalg.svd(columns - np.outer(along, shares), full_matrices=False)
    level = np.eye(1, columns.shape[1] + 1, columns.shape[1])
    return np.vstack([level, np.column_stack([directions, -(directions @ shares) / length])])
