"""Nearest neighbours by a kernel: nearest in its space, or the most similar."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.kernels.kernel import GIVEN, LINEAR, middle_of, resolve_gamma
from penstock.components.kernels.parameters import WithKernel
from penstock.components.local_models.neighbours import NeighboursClassifier, NeighboursRegressor

Array = np.ndarray[Any, Any]

CLOSE = 1e-9


class _Alike(WithKernel):
    """What the classifier and the regressor share: distances of all pairs, and neighbours by them."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **WithKernel._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "by": [StrOptions({"distance", "similarity"})],
        "weights": [StrOptions({"uniform", "exponential"})],
        "alpha": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        n_neighbors: int = 5,
        kernel: str = "rbf",
        by: str = "distance",
        weights: str = "uniform",
        alpha: float = 1.0,
        gamma: str | float = "scale",
        degree: float = 3,
        coef0: float = 1.0,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.kernel = kernel
        self.by = by
        self.weights = weights
        self.alpha = alpha
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0

    @property
    def _as_they_lie(self) -> bool:
        """Whether the rows that are nearest as they lie are so in the kernel's space too, and count the same."""
        return self.by == "distance" and (self.kernel == LINEAR or (self.kernel == "rbf" and self.weights == "uniform"))

    def _learn(self, X: Array, y: Array, neighbours: type[NeighboursClassifier | NeighboursRegressor]) -> None:
        if self.n_neighbors > len(X):
            raise ValueError(
                f"Expected n_neighbors <= n_samples, but n_neighbors = {self.n_neighbors}, n_samples = {len(X)}"
            )
        given: dict[str, Any] = {"n_neighbors": self.n_neighbors, "weights": self.weights, "alpha": self.alpha}
        if self._as_they_lie:
            self.gamma_, self.own_, self.X_fit_ = resolve_gamma(self.gamma, X), np.ones(len(X)), X
            self.middle_ = middle_of(X)  # rows around it are as far apart, and have more digits
            near = neighbours(metric="euclidean", algorithm="brute", **given)
            self.neighbours_ = near.fit(X - self.middle_, y)
            return
        gram = self._begin(X)
        if self.by == "similarity":
            _require_similarity(gram)
        self.own_ = np.diag(gram).copy()
        if self.kernel in GIVEN and self.by == "distance" and self.weights == "exponential" and not self._same_own:
            raise ValueError(
                "weights='exponential' needs the distances themselves, and a given kernel whose K(x, x) differ tells "
                "only their order: divide it by the root of both diagonals, or take weights='uniform'"
            )
        self.most_ = float(gram.max())
        self.X_fit_ = self._rows(X, np.arange(len(X)))
        apart = self._apart(gram, self.own_)
        np.fill_diagonal(apart, 0.0)
        self.neighbours_ = neighbours(metric="precomputed", **given).fit(apart, y)

    @property
    def _same_own(self) -> bool:
        """Whether K(x, x) is the same of all training rows, so that it is known of others too."""
        return bool(np.ptp(self.own_) <= CLOSE * np.abs(self.own_).max())

    def _apart(self, gram: Array, own: Array | None) -> Array:
        """How far rows are from the training rows; `own` is K(x, x) of the rows, unknown where the matrix is given."""
        if self.by == "similarity":
            # A new row may be more similar to some of them than any two of these are to each other.
            return np.asarray(np.maximum(self.most_, gram.max(axis=1, keepdims=True)) - gram)
        squares = self.own_ - 2 * gram
        # Without it, distances are told from the nearest: the order is the same.
        squares += own[:, None] if own is not None else -squares.min(axis=1, keepdims=True)
        return np.asarray(np.sqrt(np.maximum(squares, 0.0)))

    def distances(self, X: Any) -> Array:
        """Of every row to every training row."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        if self.kernel == LINEAR and self._as_they_lie:
            return np.asarray(euclidean_distances(X - self.middle_, self.X_fit_ - self.middle_))
        gram = self._against(X, self.X_fit_, np.arange(len(self.own_)))
        if self.kernel not in GIVEN:
            return self._apart(gram, self._kernel.diagonal(X))
        return self._apart(gram, np.full(len(X), self.own_.mean()) if self._same_own else None)

    def kneighbors(self, X: Any) -> tuple[Array, Array]:
        """Distances to the nearest training rows, and their places."""
        distances, places = self.neighbours_.kneighbors(self._asked(X))
        if self._as_they_lie and self.kernel == "rbf":
            distances = np.sqrt(-2 * np.expm1(-self.gamma_ * distances**2))
        return distances, places

    def _asked(self, X: Any) -> Array:
        """The rows as `neighbours_` takes them."""
        if not self._as_they_lie:
            return self.distances(X)
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype=np.float64, reset=False) - self.middle_)


class AlikeClassifier(ClassifierMixin, _Alike):  # type: ignore[misc]
    """Vote of the nearest rows in the space of a kernel, which is never formed.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of neighbours.
    kernel : str, default="rbf"
        A kernel of `penstock.components.kernels.kernel`.
    by : {"distance", "similarity"}, default="distance"
        The smallest d(x, z) = sqrt(K(x, x) + K(z, z) - 2 K(x, z)), or the largest K(x, z). A similarity is never
        negative and nothing is more similar to a row than itself, which is checked on the training rows.
    weights : {"uniform", "exponential"}, default="uniform"
        Weight of a neighbour at distance d (of similarities: the largest one minus its own): 1 or exp(-alpha d).
        Of a precomputed kernel, d of new rows is known only where K(x, x) is the same for all, and else only its order.
    alpha : float, default=1.0
        How fast the exponential falls.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of the kernel.
    degree : float, default=3
        Degree of the kernel "poly".
    coef0 : float, default=1.0
        Constant of the kernels "poly" and "sigmoid".

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    neighbours_ : NeighboursClassifier
        Of given distances; of the rows themselves with the linear kernel, which keeps these, and with the RBF kernel,
        which keeps their order, where all count alike.

    Examples
    --------
    >>> from penstock.components.local_models.alike import AlikeClassifier
    >>> X = [[0.0], [1.0], [2.0], [8.0], [9.0]]
    >>> model = AlikeClassifier(n_neighbors=3).fit(X, ["low", "low", "low", "high", "high"])
    >>> model.predict_proba([[1.0], [7.0]]).round(2).tolist()
    [[0.0, 1.0], [0.67, 0.33]]
    """

    def fit(self, X: Any, y: Any) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self._learn(X, y, NeighboursClassifier)
        self.classes_ = self.neighbours_.classes_
        return self

    def predict_proba(self, X: Any) -> Array:
        check_is_fitted(self)
        return self.neighbours_.predict_proba(self._asked(X))  # type: ignore[no-any-return]

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        return self.neighbours_.predict(self._asked(X))  # type: ignore[no-any-return]


class AlikeRegressor(RegressorMixin, _Alike):  # type: ignore[misc]
    """Mean of the nearest rows in the space of a kernel, which is never formed.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of neighbours.
    kernel : str, default="rbf"
        A kernel of `penstock.components.kernels.kernel`.
    by : {"distance", "similarity"}, default="distance"
        The smallest d(x, z) = sqrt(K(x, x) + K(z, z) - 2 K(x, z)), or the largest K(x, z). A similarity is never
        negative and nothing is more similar to a row than itself, which is checked on the training rows.
    weights : {"uniform", "exponential"}, default="uniform"
        Weight of a neighbour at distance d (of similarities: the largest one minus its own): 1 or exp(-alpha d).
        Of a precomputed kernel, d of new rows is known only where K(x, x) is the same for all, and else only its order.
    alpha : float, default=1.0
        How fast the exponential falls.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of the kernel.
    degree : float, default=3
        Degree of the kernel "poly".
    coef0 : float, default=1.0
        Constant of the kernels "poly" and "sigmoid".

    Attributes
    ----------
    neighbours_ : NeighboursRegressor
        Of given distances; of the rows themselves with the linear kernel, which keeps these, and with the RBF kernel,
        which keeps their order, where all count alike.

    Examples
    --------
    >>> from penstock.components.local_models.alike import AlikeRegressor
    >>> model = AlikeRegressor(n_neighbors=2).fit([[0.0], [1.0], [2.0], [8.0]], [1.0, 2.0, 3.0, 9.0])
    >>> model.predict([[0.4]]).tolist()
    [1.5]
    """

    def fit(self, X: Any, y: Any) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        self._learn(X, y, NeighboursRegressor)
        return self

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        return self.neighbours_.predict(self._asked(X))  # type: ignore[no-any-return]


def _require_similarity(gram: Array) -> None:
    """Refuse what is no similarity: negative, or larger between two rows than of one with itself."""
    size = CLOSE * max(1.0, float(np.abs(gram).max()))
    if gram.min() < -size:
        raise ValueError(f"a similarity is never negative, but two rows have {gram.min():.3g}: take by='distance'")
    excess = gram.max(axis=1) - np.diag(gram)
    if excess.max() > size:
        row = int(excess.argmax())
        raise ValueError(
            f"row {row} is more similar to another row ({gram[row].max():.3g}) than to itself ({gram[row, row]:.3g}), "
            "so this is no similarity: take normalised(...), or by='distance'"
        )
