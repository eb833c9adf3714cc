"""A matrix as a product of two thin ones, by least squares in turn; cells may be missing."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data

Array = np.ndarray[Any, Any]


class AlternatingLeastSquares(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Low-rank factorisation X ~ Z B of a table with missing cells, by alternating least squares.

    The scores Z and the directions B are found in turn, each by exact least squares; only known cells count. The result
    is one of many: (Z R)(R^-1 B) fits as well for every invertible R. On a whole matrix without a penalty it reaches
    the best approximation of this rank. Rows are not centred.

    Parameters
    ----------
    n_components : int, default=2
        Columns of Z; no more than rows or columns of X.
    penalty : float, default=0.0
        Penalty on the squared lengths of a cell's row of Z and column of B, counted for every known cell.
    max_iter : int, default=200
        Maximum number of iterations; an iteration is a step for B and one for Z.
    tol : float, default=1e-08
        Iterations end when the loss falls by less than this share of it.
    random_state : int, RandomState instance or None, default=None
        Seed of the first Z.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features_in_)
        The directions B.
    objective_ : ndarray
        The loss after each half of an iteration; it never rises.
    n_iter_ : int
        Number of iterations.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.dimensionality_reduction.als import AlternatingLeastSquares
    >>> X = [[1.0, 2.0], [2.0, 4.0], [3.0, np.nan]]
    >>> model = AlternatingLeastSquares(n_components=1, random_state=0).fit(X)
    >>> model.inverse_transform(model.transform(X)).round(2).tolist()
    [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "penalty": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: int = 2,
        penalty: float = 0.0,
        max_iter: int = 200,
        tol: float = 1e-8,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.penalty = penalty
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        scores = check_random_state(self.random_state).standard_normal((len(X), min(self.n_components, *X.shape)))
        losses: list[float] = []
        for rounds in range(1, self.max_iter + 1):
            directions = solve(X.T, scores, self.penalty)
            losses.append(loss(X, scores, directions, self.penalty))
            scores = solve(X, directions, self.penalty)
            losses.append(loss(X, scores, directions, self.penalty))
            if rounds > 1 and losses[-3] - losses[-1] <= self.tol * losses[-3]:
                break
        self.components_ = directions.T
        self.objective_ = np.array(losses)
        self.n_iter_ = rounds
        return self

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        return solve(X, self.components_.T, self.penalty)

    def inverse_transform(self, X: Any) -> Array:
        check_is_fitted(self)
        return np.asarray(X) @ self.components_

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def solve(X: Array, directions: Array, penalty: float) -> Array:
    """For each row of X, the scores that fit its known cells best; `directions` has a row for each column of X."""
    known = ~np.isnan(X)
    if known.all() and not penalty:
        return X @ np.linalg.pinv(directions).T
    size = directions.shape[1]
    pairs = (directions[:, :, None] * directions[:, None, :]).reshape(len(directions), -1)
    systems = (known @ pairs).reshape(-1, size, size)
    systems += penalty * known.sum(axis=1)[:, None, None] * np.eye(size)
    right = np.where(known, X, 0.0) @ directions
    solved: Array = (np.linalg.pinv(systems, hermitian=True) @ right[:, :, None])[:, :, 0]
    return solved


def loss(X: Array, scores: Array, directions: Array, penalty: float) -> float:
    """Squared misfit on the known cells, and the penalty for each of them; `directions` has a row for each column."""
    known = ~np.isnan(X)
    misfit = np.where(known, X - scores @ directions.T, 0.0)
    lengths = known.sum(axis=1) @ (scores**2).sum(axis=1) + known.sum(axis=0) @ (directions**2).sum(axis=1)
    return float((misfit**2).sum() + penalty * lengths)
