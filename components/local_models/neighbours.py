"""Nearest neighbours of which the nearer may count more, by an exponential."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.neighbors import KDTree, KNeighborsClassifier, KNeighborsRegressor
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

Array = np.ndarray[Any, Any]

EXPONENTIAL = "exponential"
FAR = 1e5  # spreads from zero: the squares have ten digits more than what tells rows apart
_CONSTRAINTS: dict[str, list[Any]] = {
    "weights": [StrOptions({"uniform", "distance", EXPONENTIAL})],
    "alpha": [Interval(Real, 0, None, closed="left")],
}


def exponential_weights(distances: Array, alpha: float) -> Array:
    """exp(-alpha d), as shares of each row's sum; taken from the nearest, so that far rows do not all weigh nothing."""
    weights = np.exp(-alpha * (distances - distances.min(axis=1, keepdims=True)))
    shares: Array = weights / weights.sum(axis=1, keepdims=True)
    return shares


def _keep_digits(model: Any) -> None:
    """Search by a tree where columns lie far from zero: brute force would subtract products that are nearly equal."""
    X = model._fit_X
    by_products = model.algorithm == "auto" and model._fit_method == "brute" and model.effective_metric_ == "euclidean"
    if by_products and not issparse(X) and (X.mean(axis=0) ** 2).sum() > FAR**2 * X.var(axis=0).sum() > 0:
        model._tree = KDTree(X, model.leaf_size, metric="euclidean")
        model._fit_method = "kd_tree"


class _Neighbours:
    """What both have beside scikit-learn's."""

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: str = "uniform",
        alpha: float = 1.0,
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: str = "minkowski",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(  # type: ignore[call-arg]  # of the library's class that stands behind
            n_neighbors=n_neighbors,
            weights=weights,
            algorithm=algorithm,
            leaf_size=leaf_size,
            p=p,
            metric=metric,
            metric_params=metric_params,
            n_jobs=n_jobs,
        )
        self.alpha = alpha

    def fit(self, X: Any, y: Any) -> Self:
        super().fit(X, y)  # type: ignore[misc]
        _keep_digits(self)
        return self


class NeighboursClassifier(_Neighbours, KNeighborsClassifier):  # type: ignore[misc]
    """scikit-learn's k-nearest neighbours, whose weights may also fall exponentially with the distance.

    Any dissimilarity will do that is at least 0 (one of the notes prints above 0), and 0 of a row from itself. The
    metric "hamming" is the share of columns that differ; 1 - |how many differ|, as another prints, would put equal rows
    at 1. The notes do not settle ties: of classes with as many votes the one that sorts first is predicted, and which
    of rows that are equally far is taken depends on their order.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of neighbours.
    weights : {"uniform", "distance", "exponential"}, default="uniform"
        Weight of a neighbour at distance d: 1, 1/d or exp(-alpha d).
    alpha : float, default=1.0
        How fast the exponential falls; with 0 all neighbours count the same.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        How neighbours are looked up.
    leaf_size : int, default=30
        Rows in a leaf of a tree; changes speed and memory alone.
    p : float, default=2
        Power of the metric "minkowski": 2 is the Euclidean distance, 1 the Manhattan distance.
    metric : str or callable, default="minkowski"
        The distance.
    metric_params : dict or None, default=None
        Arguments of the metric.
    n_jobs : int or None, default=None
        Number of parallel jobs.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    effective_metric_ : str or callable
        The metric that is used.

    Examples
    --------
    >>> from penstock.components.local_models.neighbours import NeighboursClassifier
    >>> X = [[0.0], [1.0], [5.0]]
    >>> model = NeighboursClassifier(3, weights="exponential", alpha=1.0).fit(X, ["a", "b", "b"])
    >>> model.predict_proba([[0.0]]).round(2).tolist()
    [[0.73, 0.27]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **KNeighborsClassifier._parameter_constraints,
        **_CONSTRAINTS,
    }

    def predict_proba(self, X: Any) -> Any:
        check_is_fitted(self)
        if self.weights != EXPONENTIAL:
            return super().predict_proba(X)
        distances, nearest = self.kneighbors(X)
        weights = exponential_weights(distances, self.alpha)
        if not self.outputs_2d_:
            return _votes(weights, self._y[nearest], len(self.classes_))
        return [
            _votes(weights, labels[nearest], len(classes))
            for labels, classes in zip(self._y.T, self.classes_, strict=True)
        ]

    def predict(self, X: Any) -> Any:
        check_is_fitted(self)
        if self.weights != EXPONENTIAL:
            return super().predict(X)
        votes = self.predict_proba(X)
        if not self.outputs_2d_:
            return self.classes_[votes.argmax(axis=1)]
        pairs = zip(self.classes_, votes, strict=True)
        return np.stack([classes[share.argmax(axis=1)] for classes, share in pairs], axis=1)


def _votes(weights: Array, labels: Array, classes: int) -> Array:
    """Of each row the share of each class among its neighbours."""
    votes = np.zeros((len(weights), classes))
    np.add.at(votes, (np.arange(len(weights))[:, None], labels), weights)
    shares: Array = votes / votes.sum(axis=1, keepdims=True)  # by rounding, a sum of shares may be more than one
    return shares


class NeighboursRegressor(_Neighbours, KNeighborsRegressor):  # type: ignore[misc]
    """scikit-learn's k-nearest neighbours regression, whose weights may also fall exponentially with the distance.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of neighbours.
    weights : {"uniform", "distance", "exponential"}, default="uniform"
        Weight of a neighbour at distance d: 1, 1/d or exp(-alpha d).
    alpha : float, default=1.0
        How fast the exponential falls; with 0 all neighbours count the same.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        How neighbours are looked up.
    leaf_size : int, default=30
        Rows in a leaf of a tree; changes speed and memory alone.
    p : float, default=2
        Power of the metric "minkowski": 2 is the Euclidean distance, 1 the Manhattan distance.
    metric : str or callable, default="minkowski"
        The distance.
    metric_params : dict or None, default=None
        Arguments of the metric.
    n_jobs : int or None, default=None
        Number of parallel jobs.

    Attributes
    ----------
    effective_metric_ : str or callable
        The metric that is used.

    Examples
    --------
    >>> from penstock.components.local_models.neighbours import NeighboursRegressor
    >>> model = NeighboursRegressor(2).fit([[0.0], [1.0], [5.0]], [10.0, 20.0, 90.0])
    >>> model.predict([[0.4]]).tolist()
    [15.0]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **KNeighborsRegressor._parameter_constraints,
        **_CONSTRAINTS,
    }

    def predict(self, X: Any) -> Any:
        check_is_fitted(self)
        if self.weights != EXPONENTIAL:
            return super().predict(X)
        distances, nearest = self.kneighbors(X)
        return np.einsum("ij,ij...->i...", exponential_weights(distances, self.alpha), self._y[nearest])
