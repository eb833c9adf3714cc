"""A mixture of Gaussians as a density."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.mixture import GaussianMixture
from sklearn.utils._param_validation import Interval

from penstock.components.density.rare import FlagsRare


class MixtureDensity(FlagsRare, GaussianMixture):  # type: ignore[misc]
    """scikit-learn's Gaussian mixture, with a threshold below which a row is an outlier.

    Parameters
    ----------
    n_components, covariance_type, tol, reg_covar, max_iter, n_init, init_params, random_state
        As in scikit-learn.
    rare : float or None
        The share of the training rows that is to lie below the threshold; none, and there is no threshold.

    Attributes
    ----------
    threshold_ : float
        The least log density of a row that is no outlier.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **GaussianMixture._parameter_constraints,
        "rare": [Interval(Real, 0, 1, closed="neither"), None],
    }

    def __init__(
        self,
        n_components: int = 1,
        *,
        covariance_type: str = "full",
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        n_init: int = 1,
        init_params: str = "kmeans",
        random_state: Any = None,
        rare: float | None = 0.01,
    ) -> None:
        super().__init__(
            n_components=n_components,
            covariance_type=covariance_type,
            tol=tol,
            reg_covar=reg_covar,
            max_iter=max_iter,
            n_init=n_init,
            init_params=init_params,
            random_state=random_state,
        )
        self.rare = rare

    def fit(self, X: Any, y: Any = None) -> Self:
        super().fit(X)
        self._learn_threshold(np.asarray(X, dtype=np.float64))
        return self
