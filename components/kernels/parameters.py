"""What estimators with a kernel share: its parameters, and their check before anything is fitted."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions

from penstock.components.kernels.columns import AS_COLUMNS, require_kernel_columns
from penstock.components.kernels.gram import require_gram, require_kernel
from penstock.components.kernels.kernel import GIVEN, PRECOMPUTED, Kernel, parse_kernel, resolve_gamma

Array = np.ndarray[Any, Any]

SMALLER_KERNEL = "Bring the columns to one scale, take a smaller gamma or degree of the kernel"


class WithKernel(BaseEstimator):  # type: ignore[misc]
    """`kernel` is a name, a sum or product of kernels, `normalised(...)`, `precomputed` or `precomputed-columns`."""

    takes_kernel_columns: ClassVar[bool] = True

    kernel: str
    gamma: str | float
    degree: float
    coef0: float

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "kernel": [str],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0, None, closed="neither")],
        "degree": [Interval(Real, 0, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
    }

    def _validate_params(self) -> None:
        super()._validate_params()
        if self.kernel not in GIVEN:
            parse_kernel(self.kernel)

    def _begin(self, X: Array, weights: Array | None = None) -> Array:
        """The Gram matrix of the training rows, whose spread, by their weights, decides the width `scale`."""
        require_gram(len(X))
        self.gamma_ = resolve_gamma(self.gamma, X, weights) if self.kernel not in GIVEN else 1.0
        if self.kernel == AS_COLUMNS:
            return require_kernel_columns(X)
        gram = self._kernel(X)
        if self.kernel == PRECOMPUTED or "sigmoid" in self.kernel:
            require_kernel(gram)
        return gram

    @property
    def _kernel(self) -> Kernel:
        return Kernel(self.kernel, self.gamma_, self.degree, self.coef0)

    def _rows(self, X: Array, chosen: Array) -> Array:
        """What must be kept of the training rows to compare new ones with the chosen: of a given kernel nothing."""
        return np.empty((0, 0)) if self.kernel == PRECOMPUTED else X[chosen]

    def _against(self, X: Array, kept: Array, chosen: Array) -> Array:
        """The kernel of new rows against the chosen training rows."""
        return X[:, chosen] if self.kernel == PRECOMPUTED else self._kernel(X, kept)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == PRECOMPUTED
        return tags
