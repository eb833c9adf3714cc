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
    """scikit-learn's, with `labels_`, a start from Ward's tree, and one variance for all components and columns.

    Parameters
    ----------
    covariance_type : {"full", "tied", "diag", "spherical"}
        As in scikit-learn.
    init_params : str
        As in scikit-learn, or "ward": from the clusters of Ward's tree. With many components it misses fewer groups
        than k-means does, and one start (`n_init`) is enough.
    shared : bool
        With "spherical": one variance for all components, so that only means and weights differ.
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
