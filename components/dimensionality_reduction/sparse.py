"""Principal components of few columns each."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data

Array = np.ndarray[Any, Any]

COORDINATE_STARTS = 5
ROUNDING = 1e-12


class SparsePCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Sparse principal components: directions of large variance with most weights zero.

    Each maximises its variance under two bounds: its length is 1, and the sizes of its weights add up to `most_weight`
    at the most. The next one is sought in what the ones before leave. scikit-learn's class of this name solves another
    problem, a penalised dictionary. Scores are those that reconstruct the row best by least squares.

    Parameters
    ----------
    n_components : int, default=2
        Number of directions; no more than columns.
    most_weight : float, default=1.5
        Bound on the sum of a direction's absolute weights: 1 gives single columns, the root of the number of columns
        plain principal components.
    max_iter : int, default=200
        Maximum number of iterations for a direction.
    tol : float, default=1e-09
        Iterations end when the direction moves less than this.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features_in_)
        The directions.
    n_iter_ : int
        Iterations of the slowest direction.
    variances_ : ndarray of shape (n_components,)
        Variance along each direction (divisor n - 1), of what the ones before left.
    mean_ : ndarray of shape (n_features_in_,)
        Means of the columns.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.dimensionality_reduction.sparse import SparsePCA
    >>> X = [[0.0, 0.0, 1.0], [2.0, 4.0, 0.9], [4.0, 8.0, 1.1], [6.0, 12.0, 1.0]]
    >>> model = SparsePCA(n_components=1, most_weight=1.0).fit(X)
    >>> np.abs(model.components_).round(2).tolist()
    [[0.0, 1.0, 0.0]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "most_weight": [Interval(Real, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, n_components: int = 2, most_weight: float = 1.5, max_iter: int = 200, tol: float = 1e-9) -> None:
        self.n_components = n_components
        self.most_weight = most_weight
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        self.mean_ = X.mean(axis=0)
        unit = float(np.abs(X - self.mean_).max()) or 1.0  # steps square the variances once more
        left = np.cov((X - self.mean_).T / unit).reshape(X.shape[1], X.shape[1])
        directions, variances, steps = [], [], []
        for _ in range(min(self.n_components, X.shape[1])):
            direction, variance, taken = sparse_direction(left, self.most_weight, self.max_iter, self.tol)
            without = np.eye(len(left)) - np.outer(direction, direction)
            left = without @ left @ without
            directions.append(direction)
            variances.append(variance)
            steps.append(taken)
        self.n_iter_ = max(steps)
        self.components_, self.variances_ = np.array(directions), np.array(variances) * unit * unit
        return self

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        scores: Array = (X - self.mean_) @ np.linalg.pinv(self.components_)
        return scores

    def inverse_transform(self, X: Any) -> Array:
        check_is_fitted(self)
        back: Array = np.asarray(X) @ self.components_ + self.mean_
        return back

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags


def sparse_direction(
    covariance: Array, most: float, max_iter: int = 200, tol: float = 1e-9
) -> tuple[Array, float, int]:
    """The direction of largest variance within the bounds, that variance and the steps to it; the best of a few starts.

    Steps only climb, so they may end on a lower hill. They start from the first principal direction and from the
    columns of largest variance.
    """
    starts = [np.linalg.eigh(covariance)[1][:, -1]]
    widest = np.argsort(-np.diag(covariance), kind="stable")[:COORDINATE_STARTS]
    starts += list(np.eye(len(covariance))[widest])
    found = [_climb(covariance, start, most, max_iter, tol) for start in starts]
    variances = [float(direction @ covariance @ direction) for direction, _ in found]
    best = int(np.argmax(variances))
    direction, steps = found[best]
    # The largest weight is positive, so that a direction is not mirrored from run to run.
    return direction * (np.sign(direction[np.argmax(np.abs(direction))]) or 1.0), variances[best], steps


def _climb(covariance: Array, direction: Array, most: float, max_iter: int, tol: float) -> tuple[Array, int]:
    direction = _within(direction, most)
    steps, moved = 0, np.inf
    while steps < max_iter and moved > tol:
        before, direction = direction, _within(covariance @ direction, most)
        steps, moved = steps + 1, float(np.linalg.norm(direction - before))
    return direction, steps


def _within(wanted: Array, most: float) -> Array:
    """The direction nearest to the wanted one whose weights add up to no more than allowed.

    All sizes are lowered by the same amount, to zero at the least, until they fit. With the k largest left, that amount
    solves (S1 - k d)² = most² (S2 - 2 d S1 + k d²), where S1 and S2 are the sums of the k sizes and of their squares.
    """
    size = np.abs(wanted)
    length = np.linalg.norm(size)
    if length == 0:
        return np.asarray(np.eye(len(wanted))[0])
    if size.sum() <= most * length:
        scaled: Array = wanted / length
        return scaled
    falling = np.sort(size / length)[::-1]
    left = np.arange(1, len(size) + 1)
    first, second = np.cumsum(falling), np.cumsum(falling**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        root = (first / left) ** 2 - (first**2 - most**2 * second) / (left * (left - most**2))
        amount = first / left - np.sqrt(np.maximum(root, 0.0))
    fitting = (left > most**2) & (amount < falling) & (amount >= np.r_[falling[1:], 0.0])
    if not fitting.any():  # several of one size, and room for fewer: the first of them
        kept = np.zeros(len(size))
        kept[np.argsort(-size, kind="stable")[: max(1, int(most**2))]] = 1.0
    else:
        kept = size / length - amount[np.argmax(fitting)]
        kept[kept < ROUNDING] = 0.0
    direction: Array = np.sign(wanted) * kept / np.linalg.norm(kept)
    return direction
