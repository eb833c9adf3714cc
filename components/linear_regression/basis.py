"""The lasso on weights that are sparse in some other basis: compressed sensing."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from scipy.fft import dct, idct
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import Lasso
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

Array = np.ndarray[Any, Any]


class SparseSignalRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Compressed sensing: recovers a signal that is sparse in a basis from fewer measurements than it has values.

    The measurements are y = F s, and s = G w with few w that are not zero. The rows are measurements, the columns
    positions of the signal in their order. The lasso is fitted on F G, and the signal is G times its weights. Ridge
    would not do: it spreads the signal over all of w.

    Parameters
    ----------
    basis : {"cosines", "places"}, default="cosines"
        The columns of G: waves over the signal (the inverse of the discrete cosine transform, whose columns are
        orthonormal), or the positions themselves, which is the plain lasso.
    alpha : float, default=0.001
        scikit-learn's penalty of the mean: lambda / (2 rows) for the lambda of sum of squared errors + lambda * sizes.
    fit_intercept : bool, default=False
        Whether to add a constant to every measurement.
    max_iter : int, default=10000
        Maximum number of iterations of the lasso.
    tol : float, default=0.0001
        Tolerance of the lasso.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        The signal s.
    sparse_coef_ : ndarray of shape (n_features_in_,)
        The weights w in the basis.
    intercept_ : float
        The constant.
    n_iter_ : int
        Number of iterations.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.linear_regression.basis import SparseSignalRegressor
    >>> signal = np.cos(np.pi * 2 * (2 * np.arange(32) + 1) / 64)
    >>> measure = np.random.default_rng(0).normal(size=(12, 32))
    >>> model = SparseSignalRegressor().fit(measure, measure @ signal)
    >>> np.flatnonzero(model.sparse_coef_).tolist()
    [2]
    >>> bool(np.abs(model.coef_ - signal).max() < 0.01)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "basis": [StrOptions({"cosines", "places"})],
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "fit_intercept": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        basis: str = "cosines",
        alpha: float = 1e-3,
        fit_intercept: bool = False,
        max_iter: int = 10_000,
        tol: float = 1e-4,
    ) -> None:
        self.basis = basis
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        waves = self.basis == "cosines"
        # F times the inverse transform is the transform of each row, since G is orthonormal.
        design = dct(X, axis=1, norm="ortho") if waves else X
        given = {"fit_intercept": self.fit_intercept, "max_iter": self.max_iter, "tol": self.tol}
        lasso = Lasso(self.alpha, copy_X=not waves, **given)  # what was transformed is a copy already
        lasso.fit(design, y, sample_weight)
        self.n_iter_ = int(lasso.n_iter_)
        self.sparse_coef_ = lasso.coef_
        self.coef_ = idct(lasso.coef_, norm="ortho") if waves else lasso.coef_.copy()
        self.intercept_ = float(lasso.intercept_)
        return self

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return X @ self.coef_ + self.intercept_  # type: ignore[no-any-return]
