"""Support vector regression in units of the target's spread."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.svm import SVR
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

Array = np.ndarray[Any, Any]


class ScaledSVR(SVR):  # type: ignore[misc]
    """scikit-learn's support vector regression on the standardised target, answering in the target's own units.

    The library's own cannot reach a target whose values are large against C, and epsilon means another thing for
    every unit of measurement. Here both count in standard deviations. `scale_target=False` is the library's method as
    it is.

    Parameters
    ----------
    kernel, degree, gamma, coef0, tol, C, epsilon, shrinking, cache_size, max_iter
        As in scikit-learn.
    scale_target : bool
        Whether C and epsilon count in standard deviations of the target.

    Attributes
    ----------
    target_mean_, target_scale_ : float
        Mean and standard deviation of the target; 0 and 1 where it is taken as it is.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SVR._parameter_constraints,
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
        max_iter: int = -1,
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True, accept_sparse="csr")
        self.target_mean_, self.target_scale_ = 0.0, 1.0
        if self.scale_target:
            weights = _check_sample_weight(sample_weight, X)
            self.target_mean_ = float(np.average(y, weights=weights))
            self.target_scale_ = float(np.sqrt(np.average((y - self.target_mean_) ** 2, weights=weights))) or 1.0
        super().fit(X, (y - self.target_mean_) / self.target_scale_, sample_weight)
        return self

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        return super().predict(X) * self.target_scale_ + self.target_mean_  # type: ignore[no-any-return]
