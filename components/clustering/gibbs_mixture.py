"""A Gaussian mixture by sampling its posterior: not the best clusters, but all that the rows allow."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.clustering.validity import checked_rows

MAX_DRAWS = 100
"""So many drawn sets of centres are kept for new rows."""
MAX_TOGETHER = 200

Array = NDArray[np.float64]


class GibbsMixture(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Mixture of round Gaussians of one variance, by Gibbs sampling of its labels and centres.

    Labels are drawn given the centres, and centres given the labels, in turn. The likeliest labels and centres are
    those of k-means; averaging over the draws does better where clusters overlap. scikit-learn's Bayesian mixture is
    variational: it approximates the posterior, and does not sample it.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    variance : float or None, default=None
        Variance of every cluster in every direction; None takes that within the clusters of k-means.
    prior_variance : float or None, default=None
        Prior variance of the centres about the mean of all rows; None takes the variance of the rows.
    centres : array-like of shape (n_clusters, n_features) or None, default=None
        Centres that are known, and are not drawn.
    sweeps : int, default=200
        Number of draws of all labels and centres that are kept, after half as many that are discarded (burn-in).
    start : {"k-means", "random"}, default="k-means"
        Initial labels: those of k-means, or random ones, so that chains with distant starts can be compared.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Most probable cluster of each training row.
    shares_ : ndarray of shape (n_samples, n_clusters)
        Posterior probability of each cluster for each row, after the clusters of all draws are put in one order.
    draws_ : ndarray of shape (n_draws, n_clusters, n_features_in_)
        Some of the drawn centres.
    trace_ : ndarray
        Log-likelihood of the rows given labels and centres after every sweep, burn-in first.
    burn_in_ : int
        Number of sweeps that were discarded.
    together_ : ndarray of shape (n_samples, n_samples) or None
        How often two rows were in one cluster; only up to 200 rows.

    Examples
    --------
    >>> from penstock.components.clustering.gibbs_mixture import GibbsMixture
    >>> model = GibbsMixture(2, variance=1.0, sweeps=50, random_state=0).fit([[0.0], [1.0], [20.0], [21.0]])
    >>> model.labels_.tolist()
    [1, 1, 0, 0]
    >>> model.shares_.max(axis=1).round(2).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """

    reference_: Array

    assignment_rule: ClassVar[str] = "the cluster that is likeliest to have made the row, over all drawn centres"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "variance": [Interval(Real, 0, None, closed="neither"), None],
        "prior_variance": [Interval(Real, 0, None, closed="neither"), None],
        "centres": ["array-like", None],
        "sweeps": [Interval(Integral, 1, None, closed="left")],
        "start": [StrOptions({"k-means", "random"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        variance: float | None = None,
        prior_variance: float | None = None,
        centres: Any = None,
        sweeps: int = 200,
        start: str = "k-means",
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.variance = variance
        self.prior_variance = prior_variance
        self.centres = centres
        self.sweeps = sweeps
        self.start = start
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = checked_rows(self, X, self.n_clusters)
        rng = check_random_state(self.random_state)
        labels = self._start(X, rng)
        self.shares_ = np.zeros((len(X), self.n_clusters))
        together = np.zeros((len(X), len(X))) if len(X) <= MAX_TOGETHER else None
        draws, trace, self.burn_in_ = [], [], self.sweeps // 2
        for sweep in range(self.burn_in_ + self.sweeps):
            centres = self._draw_centres(X, labels, rng)
            misfits = cdist(X, centres, metric="sqeuclidean") / (2 * self.variance_)
            proba = softmax(-misfits, axis=1)
            labels = (proba.cumsum(axis=1) < rng.uniform(size=(len(X), 1))).sum(axis=1).clip(max=self.n_clusters - 1)
            trace.append(-misfits[np.arange(len(X)), labels].sum())
            if sweep < self.burn_in_:
                continue
            order = linear_sum_assignment(cdist(self.reference_, centres, metric="sqeuclidean"))[1]
            self.shares_ += proba[:, order]
            draws.append(centres[order])
            if together is not None:
                together += labels[:, None] == labels[None]
        self.trace_ = np.array(trace) - X.size / 2 * np.log(2 * np.pi * self.variance_)
        self.shares_ /= self.sweeps
        self.together_ = None if together is None else together / self.sweeps
        self.draws_ = np.array(draws[:: max(1, self.sweeps // MAX_DRAWS)])
        self.labels_ = self.shares_.argmax(axis=1)
        return self

    def predict_proba(self, X: Any) -> Array:
        """The probability of each cluster to have made each row, over the drawn centres."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        total = np.zeros((len(X), self.n_clusters))
        for centres in self.draws_:
            total += softmax(-cdist(X, centres, metric="sqeuclidean") / (2 * self.variance_), axis=1)
        return total / len(self.draws_)

    def predict(self, X: Any) -> NDArray[np.int64]:
        return np.asarray(self.predict_proba(X).argmax(axis=1))

    def _start(self, X: Array, rng: np.random.RandomState) -> NDArray[np.int64]:
        """The first labels. K-means gives the order of the clusters and the variance, wherever the chain starts."""
        if self.centres is None:
            model = KMeans(self.n_clusters, n_init=5, random_state=rng).fit(X)
            self.reference_ = model.cluster_centers_
        else:
            self.reference_ = np.array(self.centres, dtype=np.float64)
        apart = cdist(X, self.reference_, metric="sqeuclidean")
        usual = float(apart.min(axis=1).sum()) / X.size
        self.variance_ = float(self.variance or max(usual, np.finfo(float).tiny))
        self.prior_mean_ = X.mean(axis=0)
        self.prior_variance_ = float(self.prior_variance or X.var(axis=0).mean() or 1.0)
        if self.start == "random":
            return np.asarray(rng.randint(self.n_clusters, size=len(X)))
        return np.asarray(apart.argmin(axis=1))

    def _draw_centres(self, X: Array, labels: NDArray[np.int64], rng: np.random.RandomState) -> Array:
        if self.centres is not None:
            return self.reference_
        members = labels[:, None] == np.arange(self.n_clusters)
        precision = members.sum(axis=0) / self.variance_ + 1 / self.prior_variance_
        sums = members.T.astype(np.float64) @ (X - self.prior_mean_) / self.variance_
        mean = self.prior_mean_ + sums / precision[:, None]
        found: Array = mean + rng.standard_normal(mean.shape) / np.sqrt(precision)[:, None]
        return found
