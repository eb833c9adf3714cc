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
    """Round clusters of one variance: labels are drawn given the centres, centres given the labels, again and again.

    The likeliest labels and centres are those of k-means; averaging over the draws does better where clusters overlap.
    scikit-learn's Bayesian mixture is variational: it approximates the posterior, and does not sample it.

    Parameters
    ----------
    n_clusters : int
    variance : float or None
        Of every cluster in every direction; by default that within the clusters of k-means.
    prior_variance : float or None
        Of the centres about the mean of all rows; by default the variance of the rows.
    centres : array or None
        Centres that are known, and are not drawn.
    sweeps : int
        Draws of all labels and centres, after half as many that are thrown away.
    start : {"k-means", "random"}
        The first labels: those of k-means, or by lot, so that chains can be compared that began far apart.
    random_state : int, RandomState or None

    Attributes
    ----------
    shares_ : array
        For each row the posterior probability of each cluster, the draws brought into the same order of clusters.
    draws_ : array
        Some of the drawn sets of centres.
    trace_ : array
        The log-likelihood of the rows given labels and centres, after every sweep, those thrown away first.
    burn_in_ : int
        So many sweeps were thrown away.
    together_ : array or None
        How often two rows were in one cluster; only up to 200 rows.
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
            chances = softmax(-misfits, axis=1)
            labels = (chances.cumsum(axis=1) < rng.uniform(size=(len(X), 1))).sum(axis=1).clip(max=self.n_clusters - 1)
            trace.append(-misfits[np.arange(len(X)), labels].sum())
            if sweep < self.burn_in_:
                continue
            order = linear_sum_assignment(cdist(self.reference_, centres, metric="sqeuclidean"))[1]
            self.shares_ += chances[:, order]
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
