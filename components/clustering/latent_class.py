"""Mixtures of columns of several kinds: levels, yes or no, numbers; each cluster with its own shares and means."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.clustering.ascent import FLOOR, Densities, ascend
from penstock.components.clustering.validity import checked_rows
from penstock.components.dissimilarity.columns import features_of
from penstock.errors import ClusteringError

Array = NDArray[np.float64]


class LatentClass(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Latent class model: a mixture whose columns are independent within a cluster, of levels, binaries and numbers.

    It is fitted by EM (StepMix) or by gradient ascent. Neighbouring columns of zeros and ones that add up to one are
    the levels of one feature, as one-hot encoding makes them; other columns of zeros and ones are binary; the rest are
    numbers.

    Parameters
    ----------
    n_clusters : int, default=3
        Number of clusters.
    numbers : {"independent", "full"}, default="independent"
        Gaussians without or with correlations within a cluster.
    fit_by : {"em", "gradient"}, default="em"
        Expectation-maximisation; or ascent of the log-likelihood itself, after a few steps of the former. Numbers
        have to be independent for it.
    n_init : int, default=3
        Number of initialisations; the likeliest is kept.
    max_iter : int, default=1000
        Maximum number of iterations.
    random_state : int, RandomState instance or None, default=None
        Seed of the initialisations.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Most probable cluster of each training row.
    weights_ : ndarray of shape (n_clusters,)
        Share of each cluster.
    log_likelihood_ : float
        Log-likelihood of the training rows.

    Examples
    --------
    >>> from penstock.components.clustering.latent_class import LatentClass
    >>> X = [[1, 1, 0.1], [1, 1, 0.3], [1, 1, 0.2], [0, 0, 9.1], [0, 0, 9.3], [0, 0, 9.2]]
    >>> model = LatentClass(2, random_state=0).fit(X)
    >>> model.weights_.round(2).tolist()
    [0.5, 0.5]
    >>> model.labels_.tolist()
    [1, 1, 1, 0, 0, 0]
    """

    assignment_rule: ClassVar[str] = "the cluster that is likeliest to have made the row"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "numbers": [StrOptions({"independent", "full"})],
        "fit_by": [StrOptions({"em", "gradient"})],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        numbers: str = "independent",
        fit_by: str = "em",
        n_init: int = 3,
        max_iter: int = 1000,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.numbers = numbers
        self.fit_by = fit_by
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = checked_rows(self, X, self.n_clusters)
        self._find_kinds(X)
        if self.fit_by == "gradient" and self.numbers == "full" and len(self.number_columns_):
            raise ClusteringError(
                "PEN337",
                "correlated numbers cannot be fitted by gradient",
                where="models: latent-class",
                remedy="take `numbers: independent`, or `fit_by: em`",
            )
        steps = self.max_iter if self.fit_by == "em" else min(5, self.max_iter)
        self._keep(self._expectation_maximisation(X, steps))
        if self.fit_by == "gradient":
            self._ascend(X)
        log = self._log_joint(X)
        self.log_likelihood_ = float(logsumexp(log, axis=1).sum())
        self.labels_ = log.argmax(axis=1)
        return self

    def predict_proba(self, X: Any) -> Array:
        """The probability of each cluster to have made each row."""
        log = self._log_joint(self._checked(X))
        return np.asarray(np.exp(log - logsumexp(log, axis=1, keepdims=True)))

    def predict(self, X: Any) -> NDArray[np.int64]:
        return np.asarray(self._log_joint(self._checked(X)).argmax(axis=1))

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log-likelihood of a row."""
        return float(logsumexp(self._log_joint(self._checked(X)), axis=1).mean())

    def bic(self, X: Any) -> float:
        return float(-2 * self.score(X) * len(X) + self._free() * np.log(len(X)))

    def aic(self, X: Any) -> float:
        return float(-2 * self.score(X) * len(X) + 2 * self._free())

    def _checked(self, X: Any) -> Array:
        check_is_fitted(self)
        rows: Array = validate_data(self, X, dtype=np.float64, reset=False)
        return rows

    def _free(self) -> int:
        """How many numbers were learnt."""
        numbers = len(self.number_columns_)
        spread = numbers * (numbers + 1) // 2 if self.numbers == "full" else numbers
        levels = len(self.level_columns_) - self.n_features_
        each = levels + len(self.binary_columns_) + numbers + spread
        return int(self.n_clusters * each + self.n_clusters - 1)

    def _find_kinds(self, X: Array) -> None:
        features = features_of(X)
        self._blocks = [feature for feature in features if len(feature) > 1]
        single = [int(feature[0]) for feature in features if len(feature) == 1]
        binary = ((X == 0) | (X == 1)).all(axis=0)
        self.level_columns_ = np.concatenate([np.zeros(0, dtype=np.int64), *self._blocks])
        self.binary_columns_ = np.array([place for place in single if binary[place]], dtype=np.int64)
        self.number_columns_ = np.array([place for place in single if not binary[place]], dtype=np.int64)
        self.n_features_ = len(self._blocks)

    def _expectation_maximisation(self, X: Array, steps: int) -> dict[str, Any]:
        from stepmix.stepmix import StepMix

        codes = [X[:, block].argmax(axis=1) for block in self._blocks]
        table = np.column_stack([*codes, X[:, self.binary_columns_], X[:, self.number_columns_]])
        kinds = {
            "levels": ("categorical", len(codes)),
            "binary": ("bernoulli", len(self.binary_columns_)),
            "numbers": ("gaussian_full" if self.numbers == "full" else "gaussian_diag", len(self.number_columns_)),
        }
        model = StepMix(
            n_components=self.n_clusters,
            measurement={name: {"model": kind, "n_columns": count} for name, (kind, count) in kinds.items() if count},
            n_init=self.n_init,
            max_iter=steps,
            abs_tol=1e-8,
            init_params="kmeans" if len(np.unique(table, axis=0)) >= self.n_clusters else "random",
            random_state=self.random_state,
            progress_bar=0,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(table)
        self.n_iter_ = model.n_iter_
        found: dict[str, Any] = model.get_parameters()
        return found

    def _keep(self, found: dict[str, Any]) -> None:
        """StepMix's parameters as plain arrays, column by column as the rows come."""
        parts = found["measurement"]
        self.weights_ = np.asarray(found["weights"])
        probabilities = np.zeros((self.n_clusters, 0))
        if self._blocks:
            wide, most = parts["levels"]["pis"], int(parts["levels"]["max_n_outcomes"])
            taken = [number * most + place for number, block in enumerate(self._blocks) for place in range(len(block))]
            probabilities = wide[:, taken]
        self.level_probabilities_ = np.clip(probabilities, FLOOR, 1.0)
        given = parts["binary"]["pis"] if "binary" in parts else np.zeros((self.n_clusters, 0))
        self.binary_probabilities_ = np.clip(given, FLOOR, 1 - FLOOR)
        numbers = parts.get("numbers", {"means": np.zeros((self.n_clusters, 0)), "covariances": None})
        self.means_, self.covariances_ = numbers["means"], numbers["covariances"]
        if self.covariances_ is None:
            self.covariances_ = np.zeros((self.n_clusters, 0))

    def _densities(self) -> Densities:
        return Densities(
            self.weights_, self.level_probabilities_, self.binary_probabilities_, self.means_, self.covariances_
        )

    def _split(self, X: Array) -> tuple[Array, Array, Array]:
        return X[:, self.level_columns_], X[:, self.binary_columns_], X[:, self.number_columns_]

    def _log_joint(self, X: Array) -> Array:
        return self._densities().log_joint(*self._split(X))

    def _ascend(self, X: Array) -> None:
        sizes = [len(block) for block in self._blocks]
        found, self.n_iter_ = ascend(self._densities(), *self._split(X), sizes, self.max_iter)
        self.weights_, self.level_probabilities_, self.binary_probabilities_, self.means_, self.covariances_ = found
