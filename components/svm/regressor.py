"""Support vector regression in units of the target's spread."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.svm import SVR
from sklearn.utils import Tags
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from penstock.components.centring import spread_of
from penstock.components.kernels.columns import AS_COLUMNS, require_kernel_columns
from penstock.components.kernels.gram import require_gram, require_kernel
from penstock.components.kernels.kernel import (
    GIVEN,
    PRECOMPUTED,
    Kernel,
    by_name,
    finite_kernel,
    middle_of,
    parse_kernel,
    resolve_gamma,
)
from penstock.components.svm.machine import MAX_STEPS_OF_LIBSVM

Array = np.ndarray[Any, Any]

OF_THE_LIBRARY = ("linear", "poly", "rbf", "sigmoid")
FREE_OF_PLACE = ("rbf", "linear")  # kernels under which rows may be moved, the linear one by way of the bias


class ScaledSVR(SVR):  # type: ignore[misc]
    """scikit-learn's support vector regression on the standardised target, with predictions in the target's own units.

    The library's own cannot reach a target whose values are large against C, and epsilon means another thing for
    every unit of measurement. Here both count in standard deviations. `scale_target=False` is the library's method as
    it is.

    Parameters
    ----------
    kernel : str or callable, default="rbf"
        As in scikit-learn, or any other kernel of `penstock.components.kernels.kernel`.
    degree : int, default=3
        Degree of the kernel "poly".
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of the kernels "rbf", "poly" and "sigmoid".
    coef0 : float, default=0.0
        Constant of the kernels "poly" and "sigmoid".
    tol : float, default=0.001
        Tolerance of the stopping condition.
    C : float, default=1.0
        Cost of an error beyond epsilon.
    epsilon : float, default=0.1
        Half the width of the epsilon tube, within which errors cost nothing.
    shrinking : bool, default=True
        Whether libsvm uses its shrinking heuristic.
    cache_size : float, default=200
        Size of the kernel cache in MB.
    max_iter : int, default=10000000
        Maximum number of iterations: columns that are not scaled can keep the solver busy for ever. -1 sets no limit.
    scale_target : bool, default=True
        Whether C and epsilon count in standard deviations of the target.

    Attributes
    ----------
    target_mean_, target_scale_ : float
        Mean and standard deviation of the target; 0 and 1 where it is taken as it is.
    middle_ : ndarray of shape (n_features_in_,)
        What is subtracted from all rows, `support_vectors_` too, where the kernel allows it: near zero they have more
        digits.
    square_ : SVR
        Of a given kernel, or one that the library has not: its method on the matrix of the training rows with a weight.
    rows_ : ndarray
        Of such a kernel: those rows (of `precomputed` their indices).
    gamma_ : float
        Of such a kernel: its coefficient.

    Examples
    --------
    >>> from penstock.components.svm.regressor import ScaledSVR
    >>> model = ScaledSVR(kernel="linear", C=10.0, epsilon=0.01)
    >>> model.fit([[0.0], [1.0], [2.0], [3.0]], [10.0, 20.0, 30.0, 40.0]).predict([[1.5]]).round(0).tolist()
    [25.0]
    """

    takes_kernel_columns: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SVR._parameter_constraints,
        "kernel": [str, callable],
        "scale_target": ["boolean"],
    }

    def __init__(
        self,
        *,
        kernel: str = "rbf",
        degree: int = 3,
        gamma: str | float = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        C: float = 1.0,
        epsilon: float = 0.1,
        shrinking: bool = True,
        cache_size: float = 200,
        max_iter: int = MAX_STEPS_OF_LIBSVM,
        scale_target: bool = True,
    ) -> None:
        super().__init__(
            kernel=kernel,
            degree=degree,
            gamma=gamma,
            coef0=coef0,
            tol=tol,
            C=C,
            epsilon=epsilon,
            shrinking=shrinking,
            cache_size=cache_size,
            max_iter=max_iter,
        )
        self.scale_target = scale_target

    def _validate_params(self) -> None:
        super()._validate_params()
        if not self._of_the_library and self.kernel not in GIVEN:
            parse_kernel(self.kernel)

    @property
    def _of_the_library(self) -> bool:
        return callable(self.kernel) or self.kernel in OF_THE_LIBRARY

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._of_the_library
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        sparse = "csr" if self._of_the_library else False
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True, accept_sparse=sparse)
        self.target_mean_, self.target_scale_ = 0.0, 1.0
        weights = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        if self.scale_target:
            self.target_mean_ = float(np.average(y, weights=weights))
            self.target_scale_ = spread_of(y - self.target_mean_, weights)
        targets = (y - self.target_mean_) / self.target_scale_
        if self._of_the_library:
            self._learn(X, targets, weights)
        else:
            self._learn_square(X, targets, weights)
        return self

    def _learn(self, X: Any, targets: Array, weights: Array) -> None:
        asked = self.gamma  # type: ignore[has-type]
        far = self.kernel in FREE_OF_PLACE and not issparse(X)
        self.middle_ = middle_of(X) if far else np.zeros(X.shape[1])
        if not issparse(X):
            self.gamma = resolve_gamma(asked, X, weights)
        try:
            super().fit(by_name(self, X - self.middle_ if far else X), targets, weights)
        finally:
            self.gamma = asked
        if self.kernel == "linear" and far:  # the library answers by a constant of its own, of the rows that it saw
            self.intercept_ = np.asarray(self.intercept_) - np.ravel(self.coef_) @ self.middle_  # type: ignore[has-type]

    def _learn_square(self, X: Array, targets: Array, weights: Array) -> None:
        used = np.flatnonzero(weights > 0)  # of a square, the library mistakes the places of rows if it drops some
        require_gram(len(used))
        self.rows_, self.middle_ = X[used], np.zeros(X.shape[1])
        self.gamma_ = resolve_gamma(self.gamma, X, weights)
        if self.kernel == PRECOMPUTED:
            require_kernel(X)
            self.rows_ = used
        gram = require_kernel_columns(self.rows_) if self.kernel == AS_COLUMNS else self._against(X[used])
        settings = {name: value for name, value in self.get_params().items() if name != "scale_target"}
        self.square_ = SVR(**settings | {"kernel": "precomputed"}).fit(gram, targets[used], weights[used])
        self.support_ = used[self.square_.support_]

    def _against(self, X: Array) -> Array:
        if self.kernel == PRECOMPUTED:
            return X[:, self.rows_]
        return Kernel(self.kernel, self.gamma_, self.degree, self.coef0)(X, self.rows_)

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        if not self._of_the_library:
            X = validate_data(self, X, dtype=np.float64, reset=False)
            said = self.square_.predict(self._against(X))
        else:
            if self.middle_.any():
                X = by_name(self, validate_data(self, X, dtype=np.float64, reset=False) - self.middle_)
            said = super().predict(X)
        return finite_kernel(said * self.target_scale_ + self.target_mean_, self.kernel)
