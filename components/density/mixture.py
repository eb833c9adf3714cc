"""A mixture of Gaussians as a density."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.mixture import GaussianMixture
from sklearn.utils._param_validation import Interval

from penstock.components.density.rare import FlagsRare


class MixtureDensity(FlagsRare, GaussianMixture):  # type: ignore[misc]
    """scikit-learn's Gaussian mixture as a density, with a threshold below which a row is an outlier.

    Parameters
    ----------
    n_components : int, default=1
        Number of components.
    covariance_type : {"full", "tied", "diag", "spherical"}, default="full"
        A covariance matrix for each component; one for all; a variance for each column; one variance for each
        component.
    tol : float, default=0.001
        EM has converged when the mean log-likelihood gains less than this.
    reg_covar : float, default=1e-06
        Added to the diagonal of each covariance, so that it stays positive.
    max_iter : int, default=100
        Maximum number of EM iterations.
    n_init : int, default=1
        Number of initialisations; the likeliest is kept.
    init_params : {"kmeans", "k-means++", "random", "random_from_data"}, default="kmeans"
        How components are initialised.
    random_state : int, RandomState instance or None, default=None
        Seed of the initialisation.
    rare : float or None, default=0.01
        Share of the training rows that is to lie below the threshold; with None there is no threshold.

    Attributes
    ----------
    threshold_ : float
        The least log density of a row that is no outlier.
    means_ : ndarray of shape (n_components, n_features_in_)
        Mean of each component.

    Examples
    --------
    >>> from penstock.components.density.mixture import MixtureDensity
    >>> model = MixtureDensity(rare=0.1).fit([[-1.0], [0.0], [1.0]])
    >>> model.is_outlier([[0.0], [9.0]]).tolist()
    [False, True]
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
