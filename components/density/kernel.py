"""A kernel on every row as a density."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.neighbors import KernelDensity
from sklearn.utils._param_validation import Interval

from penstock.components.density.rare import FlagsRare


class KernelDensityEstimate(FlagsRare, KernelDensity):  # type: ignore[misc]
    """scikit-learn's kernel density, with a threshold below which a row is an outlier.

    Parameters
    ----------
    bandwidth, algorithm, kernel, metric, atol, rtol, breadth_first, leaf_size
        As in scikit-learn.
    rare : float or None
        The share of the training rows that is to lie below the threshold; none, and there is no threshold.

    Attributes
    ----------
    threshold_ : float
        The least log density of a row that is no outlier.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **KernelDensity._parameter_constraints,
        "rare": [Interval(Real, 0, 1, closed="neither"), None],
    }

    def __init__(
        self,
        *,
        bandwidth: Any = 1.0,
        algorithm: str = "auto",
        kernel: str = "gaussian",
        metric: str = "euclidean",
        atol: float = 0,
        rtol: float = 0,
        breadth_first: bool = True,
        leaf_size: int = 40,
        rare: float | None = 0.01,
    ) -> None:
        super().__init__(
            bandwidth=bandwidth,
            algorithm=algorithm,
            kernel=kernel,
            metric=metric,
            atol=atol,
            rtol=rtol,
            breadth_first=breadth_first,
            leaf_size=leaf_size,
        )
        self.rare = rare

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        super().fit(X, y, sample_weight)
        self._learn_threshold(np.asarray(X, dtype=np.float64))
        return self
