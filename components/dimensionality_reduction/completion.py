"""Unknown cells of a matrix from its best approximation of low rank, once or again and again."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

Array = np.ndarray[Any, Any]


class IterativeSVD(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Matrix completion by iterated singular value decomposition; its scores are along the main directions.

    Missing cells are initialised, the decomposition is cut to `n_components`, missing cells are read from what it
    gives, and so on; known cells are never changed. With `rounds` of 1 this is one-shot completion, which zeros as a
    start pull towards zero. Rows are not centred.

    Parameters
    ----------
    n_components : int, default=2
        Directions kept; no more than rows or columns.
    start : {"zero", "row", "column"}, default="zero"
        Initial values of missing cells: zero, or the mean of the known cells of the row or of the column.
    rounds : int, default=200
        Maximum number of iterations.
    tol : float, default=1e-06
        Iterations end when the filled table moves by less than this share of its size.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features_in_)
        The directions.
    singular_values_ : ndarray of shape (n_components,)
        Singular value of each direction.
    objective_ : ndarray
        After each iteration, the squared error on the known cells; it never rises.
    means_ : ndarray of shape (n_features_in_,)
        Mean of the known cells of each column.
    n_iter_ : int
        Number of iterations.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.dimensionality_reduction.completion import IterativeSVD
    >>> X = [[1.0, 2.0], [2.0, 4.0], [3.0, np.nan]]
    >>> model = IterativeSVD(n_components=1, start="column").fit(X)
    >>> model.inverse_transform(model.transform(X)).round(2).tolist()
    [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "start": [StrOptions({"zero", "row", "column"})],
        "rounds": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, n_components: int = 2, start: str = "zero", rounds: int = 200, tol: float = 1e-6) -> None:
        self.n_components = n_components
        self.start = start
        self.rounds = rounds
        self.tol = tol

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        known = ~np.isnan(X)
        self.means_ = _means(X, known, axis=0)
        filled = self._started(X, known)
        size = min(self.n_components, *X.shape)
        objective = []
        for _ in range(self.rounds):
            left, values, directions = np.linalg.svd(filled, full_matrices=False)
            low = (left[:, :size] * values[:size]) @ directions[:size]
            objective.append(float(((X - low)[known] ** 2).sum()))
            before, filled = filled, np.where(known, X, low)
            if np.linalg.norm(filled - before) <= self.tol * np.linalg.norm(before):
                break
        self.components_, self.singular_values_ = directions[:size], values[:size]
        self.objective_ = np.array(objective)
        self.n_iter_ = len(objective)
        return self

    def transform(self, X: Any) -> Array:
        scores: Array = self._filled(X)[0] @ self.components_.T
        return scores

    def inverse_transform(self, X: Any) -> Array:
        check_is_fitted(self)
        back: Array = np.asarray(X) @ self.components_
        return back

    def complete(self, X: Any) -> Array:
        """The table with its missing cells filled, and its known ones as they were."""
        filled, given = self._filled(X)
        return np.where(np.isnan(given), filled @ self.components_.T @ self.components_, given)

    def _filled(self, X: Any) -> tuple[Array, Array]:
        """What the last round is given: as in the fit, but along the directions that the fit found."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        known = ~np.isnan(X)
        filled = self._started(X, known)
        onto = self.components_.T @ self.components_
        for _ in range(self.rounds - 1):
            before, filled = filled, np.where(known, X, filled @ onto)
            if np.linalg.norm(filled - before) <= self.tol * np.linalg.norm(before):
                break
        return filled, X

    def _started(self, X: Array, known: Array) -> Array:
        means = {"zero": np.zeros(1), "row": _means(X, known, axis=1)[:, None], "column": self.means_}[self.start]
        return np.where(known, X, means)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def _means(X: Array, known: Array, axis: int) -> Array:
    """Of known cells; zero where there is none."""
    means: Array = np.where(known, X, 0.0).sum(axis=axis) / known.sum(axis=axis).clip(min=1)
    return means
