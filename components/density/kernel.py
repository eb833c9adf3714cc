"""A kernel on every row as a density."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.neighbors import KernelDensity
from sklearn.utils._param_validation import Interval

from penstock.components.density.rare import FlagsRare


class KernelDensityEstimate(FlagsRare, KernelDensity):  # type: ignore[misc]
    """scikit-learn's kernel density estimate, with a threshold below which a row is an outlier.

    Parameters
    ----------
    bandwidth : float or {"scott", "silverman"}, default=1.0
        Bandwidth of the kernel, or the rule that estimates it.
    algorithm : {"kd_tree", "ball_tree", "auto"}, default="auto"
        The tree in which rows are looked up.
    kernel : {"gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"}, default="gaussian"
        The kernel.
    metric : str, default="euclidean"
        Distance of two rows; only the Euclidean one gives a density that integrates to one.
    atol : float, default=0
        Absolute tolerance of the densities; a larger one is faster.
    rtol : float, default=0
        Relative tolerance of the densities; a larger one is faster.
    breadth_first : bool, default=True
        Whether the tree is searched breadth first or depth first.
    leaf_size : int, default=40
        Rows in a leaf of the tree; changes speed and memory alone.
    rare : float or None, default=0.01
        Share of the training rows that is to lie below the threshold; with None there is no threshold.

    Attributes
    ----------
    threshold_ : float
        The least log density of a row that is no outlier.

    Examples
    --------
    >>> from penstock.components.density.kernel import KernelDensityEstimate
    >>> model = KernelDensityEstimate(bandwidth=0.5, rare=0.2).fit([[0.0], [0.1], [0.2], [0.3], [5.0]])
    >>> model.is_outlier([[0.15], [9.0]]).tolist()
    [False, True]
    >>> model.score_samples([[0.15]]).round(2).tolist()
    [-0.47]
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
