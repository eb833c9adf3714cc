"""Kernel ridge regression around the mean."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import PAIRWISE_KERNEL_FUNCTIONS
from sklearn.utils import Tags
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from penstock.components.kernels.columns import AS_COLUMNS, require_kernel_columns
from penstock.components.kernels.gram import require_gram, require_kernel
from penstock.components.kernels.kernel import (
    PRECOMPUTED,
    UNSAID,
    Kernel,
    by_name,
    finite_kernel,
    middle_of,
    parse_kernel,
)

Array = np.ndarray[Any, Any]

OF_THE_LIBRARY = {*PAIRWISE_KERNEL_FUNCTIONS, "precomputed"}


class CentredKernelRidge(KernelRidge):  # type: ignore[misc]
    """scikit-learn's kernel ridge regression with an intercept: it is fitted to the target's deviations from its mean.

    The library's own has no intercept: far from all training rows it predicts zero, which for prices or years is
    nowhere near. Here it predicts the mean. `fit_intercept=False` is the library's method as it is.

    The weights by row are (K + alpha I)^-1 y. With the linear kernel, X'(XX' + alpha I)^-1 y = (X'X + alpha I)^-1 X'y
    are the weights by column. One of the notes states this rightly and then derives it by inverses of X itself, which
    is not square; none is needed: (X'X + alpha I) X' = X' (XX' + alpha I), and each side is divided by both brackets.

    Parameters
    ----------
    alpha : float, default=1.0
        Penalty, against the sum of squares. Where a book adds lambda times the squared norm to the mean of squares, and
        not to their sum, alpha is rows * lambda; one of the notes has both under one name.
    kernel : str or callable, default="rbf"
        As in scikit-learn, or any other kernel of `penstock.components.kernels.kernel`.
    gamma : float or None, default=None
        Coefficient of the kernel; None takes one over the number of columns.
    degree : float, default=3
        Degree of the kernel "poly".
    coef0 : float, default=1
        Constant of the kernels "poly" and "sigmoid".
    fit_intercept : bool, default=True
        Whether to add the mean of the target.

    Attributes
    ----------
    intercept_ : float
        The (weighted) mean of the target, or zero.
    middle_ : ndarray of shape (n_features_in_,)
        What the rbf kernel subtracts from all rows, which changes no distance and saves digits.

    Examples
    --------
    >>> from penstock.components.kernels.ridge import CentredKernelRidge
    >>> model = CentredKernelRidge().fit([[0.0], [1.0], [2.0]], [100.0, 110.0, 120.0])
    >>> model.predict([[50.0]]).round(1).tolist()
    [110.0]
    """

    takes_kernel_columns: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **KernelRidge._parameter_constraints,
        "kernel": [str, callable],
        "fit_intercept": ["boolean"],
    }

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        kernel: str = "rbf",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        fit_intercept: bool = True,
    ) -> None:
        super().__init__(alpha=alpha, kernel=kernel, gamma=gamma, degree=degree, coef0=coef0)
        self.fit_intercept = fit_intercept

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        sparse = ("csr", "csc") if self._of_the_library else False
        X, y = validate_data(self, X, y, accept_sparse=sparse, multi_output=True, y_numeric=True)
        require_gram(X.shape[0])
        if self.kernel == AS_COLUMNS:
            require_kernel_columns(X)
        elif self.kernel == PRECOMPUTED:
            require_kernel(np.asarray(X.toarray() if issparse(X) else X, dtype=np.float64))
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        self.intercept_ = np.average(y, axis=0, weights=sample_weight) if self.fit_intercept else 0.0
        far = self.kernel == "rbf" and not issparse(X)
        self.middle_ = middle_of(X) if far else np.zeros(X.shape[1])
        super().fit(by_name(self, X - self.middle_ if far else X), y - self.intercept_, sample_weight)
        return self

    def _validate_params(self) -> None:
        super()._validate_params()
        if not self._of_the_library and self.kernel != AS_COLUMNS:
            parse_kernel(self.kernel)

    @property
    def _of_the_library(self) -> bool:
        return callable(self.kernel) or self.kernel in OF_THE_LIBRARY

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._of_the_library
        return tags

    def _get_kernel(self, X: Any, Y: Any = None) -> Any:
        if self._of_the_library:
            with np.errstate(**UNSAID):
                return finite_kernel(np.asarray(super()._get_kernel(X, Y)), self.kernel)
        return Kernel(self.kernel, self._width(X), self.degree, self.coef0)(X, Y)

    def _width(self, X: Any) -> float:
        return 1 / X.shape[1] if self.gamma is None else self.gamma  # type: ignore[no-any-return]

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        if self.middle_.any():
            X = by_name(self, validate_data(self, X, dtype=np.float64, reset=False) - self.middle_)
        return super().predict(X) + self.intercept_  # type: ignore[no-any-return]
