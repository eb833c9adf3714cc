"""Gaussian mixtures by expectation and maximisation."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn import mixture
from sklearn.mixture._gaussian_mixture import _compute_precision_cholesky
from sklearn.utils._param_validation import StrOptions

from penstock.components.clustering.validity import require_rows
from penstock.components.clustering.ward_start import started, ward_labels


class GaussianMixture(mixture.GaussianMixture):  # type: ignore[misc]
    """scikit-learn's Gaussian mixture with `labels_`, initialisation by Ward's linkage, and one shared variance.

    Parameters
    ----------
    n_components : int, default=1
        Number of components, each of which is a cluster.
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
    init_params : {"kmeans", "k-means++", "random", "random_from_data", "ward"}, default="kmeans"
        How components are initialised: as in scikit-learn, or "ward": from the clusters of Ward's linkage. With many
        components it misses fewer groups than k-means does, and one initialisation (`n_init`) is enough.
    weights_init : array-like of shape (n_components,) or None, default=None
        Initial weights.
    means_init : array-like of shape (n_components, n_features) or None, default=None
        Initial means.
    precisions_init : array-like or None, default=None
        Initial inverses of the covariances.
    random_state : int, RandomState instance or None, default=None
        Seed of the initialisation.
    warm_start : bool, default=False
        Whether a further call of `fit` goes on from the last solution.
    verbose : int, default=0
        Verbosity.
    verbose_interval : int, default=10
        Number of iterations between two lines of the output.
    shared : bool, default=False
        With "spherical": one variance for all components, so that only means and weights differ.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each training row.
    weights_ : ndarray of shape (n_components,)
        Weight of each component.
    means_ : ndarray of shape (n_components, n_features_in_)
        Mean of each component.
    covariances_ : ndarray
        Covariance of each component; its shape depends on `covariance_type`.

    Examples
    --------
    >>> from penstock.components.clustering.gaussian_mixture import GaussianMixture
    >>> X = [[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]]
    >>> model = GaussianMixture(2, init_params="ward", random_state=0).fit(X)
    >>> sorted(model.means_.ravel().round(2).tolist())
    [1.0, 21.0]
    >>> model.predict_proba([[1.0]]).max().round(2).item()
    1.0
    """

    assignment_rule: ClassVar[str] = "the component that is likeliest to have made the row"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **mixture.GaussianMixture._parameter_constraints,
        "init_params": [StrOptions({"kmeans", "random", "random_from_data", "k-means++", "ward"})],
        "shared": ["boolean"],
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
        weights_init: Any = None,
        means_init: Any = None,
        precisions_init: Any = None,
        random_state: Any = None,
        warm_start: bool = False,
        verbose: int = 0,
        verbose_interval: int = 10,
        shared: bool = False,
    ) -> None:
        super().__init__(
            n_components=n_components,
            covariance_type=covariance_type,
            tol=tol,
            reg_covar=reg_covar,
            max_iter=max_iter,
            n_init=n_init,
            init_params=init_params,
            weights_init=weights_init,
            means_init=means_init,
            precisions_init=precisions_init,
            random_state=random_state,
            warm_start=warm_start,
            verbose=verbose,
            verbose_interval=verbose_interval,
        )
        self.shared = shared

    def fit_predict(self, X: Any, y: Any = None) -> NDArray[np.int64]:
        shape = getattr(X, "shape", None) or np.shape(X)
        if len(shape) == 2 and shape[0] > 1:
            require_rows(shape[0], self.n_components)
        labels: NDArray[np.int64] = super().fit_predict(X, y)
        self.labels_ = labels
        return labels

    def _initialize_parameters(self, X: Any, random_state: np.random.RandomState, **given: Any) -> None:
        if self.init_params != "ward":
            super()._initialize_parameters(X, random_state, **given)
            return
        labels = ward_labels(X, self.n_components, random_state)
        self.weights_, self.means_, self.covariances_ = started(X, labels, self.covariance_type)
        self.precisions_cholesky_ = _compute_precision_cholesky(self.covariances_, self.covariance_type)

    def _m_step(self, X: Any, log_resp: Any, **given: Any) -> None:
        super()._m_step(X, log_resp, **given)
        if self.shared and self.covariance_type == "spherical":
            variance = float(self.weights_ @ self.covariances_)
            self.covariances_ = np.full(self.n_components, variance)
            self.precisions_cholesky_ = 1 / np.sqrt(self.covariances_)

    def _n_parameters(self) -> int:
        fewer = self.n_components - 1 if self.shared and self.covariance_type == "spherical" else 0
        return int(super()._n_parameters()) - fewer
