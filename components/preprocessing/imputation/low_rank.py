"""Filling from a few directions along which the columns move together."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.centring import units_of_known

Array = np.ndarray[Any, Any]


class LowRankImputer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Low-rank imputation by iterative SVD: fill from the best matrix of low rank, find that matrix again, and so on.

    Missing values start at zero (the columns' means, where columns are standardised), though a print of the method
    begins with a one. Each round takes the singular value decomposition of the filled matrix, keeps the largest `rank`
    values, lowers them by `shrink`, and reads the missing values from the result; the error on the known values falls
    with each round. With `shrink` this is soft-impute. A new row is filled from the directions with the scores that fit
    its known values. A column with no value at all becomes zeros.

    Parameters
    ----------
    rank : int, default=3
        Directions kept; at least one fewer than rows or columns.
    shrink : float, default=0.0
        What singular values are lowered by, as a share of the largest.
    rounds : int, default=200
        Maximum number of rounds.
    tol : float, default=1e-05
        Rounds end when the filled matrix moves by less than this share of its size.
    standardise : bool, default=True
        Whether columns are centred and scaled for the search, so that none decides by its unit.

    Attributes
    ----------
    objective_ : ndarray
        After each round, the squared error on known values plus the penalty that shrinking stands for.
    directions_ : ndarray of shape (n_directions, n_features_in_)
        The directions.
    strengths_ : ndarray of shape (n_directions,)
        What is left of each direction after shrinking, as a share.
    centre_, scale_ : ndarray of shape (n_features_in_,)
        Mean and standard deviation of the known values of each column.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.preprocessing.imputation.low_rank import LowRankImputer
    >>> X = [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [3.0, np.nan, 9.0], [4.0, 8.0, 12.0]]
    >>> imputer = LowRankImputer(rank=1, standardise=False, rounds=1000, tol=1e-9)
    >>> imputer.fit_transform(X)[2].round(2).tolist()
    [3.0, 6.0, 9.0]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "rank": [Interval(Integral, 1, None, closed="left")],
        "shrink": [Interval(Real, 0, 1, closed="left")],
        "rounds": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "standardise": ["boolean"],
    }

    def __init__(
        self, rank: int = 3, shrink: float = 0.0, rounds: int = 200, tol: float = 1e-5, standardise: bool = True
    ) -> None:
        self.rank = rank
        self.shrink = shrink
        self.rounds = rounds
        self.tol = tol
        self.standardise = standardise

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        self.centre_, self.scale_ = self._units(X)
        scaled = (X - self.centre_) / self.scale_
        known = ~np.isnan(scaled)
        given = np.where(known, scaled, 0.0)
        rank = max(1, min(self.rank, min(X.shape) - 1))
        penalty: float | None = None
        filled = given
        objective = []
        for _ in range(self.rounds):
            left, values, directions = np.linalg.svd(filled, full_matrices=False)
            if penalty is None:  # fixed by the first round, since the rounds go down one and the same hill
                penalty = self.shrink * float(values[0])
            kept = np.maximum(values[:rank] - penalty, 0.0)
            low = (left[:, :rank] * kept) @ directions[:rank]
            objective.append(float(((given - low)[known] ** 2).sum() / 2 + penalty * kept.sum()))
            before, filled = filled, np.where(known, given, low)
            if np.linalg.norm(filled - before) <= self.tol * np.linalg.norm(before):
                break
        self.objective_ = np.array(objective)
        self.directions_ = directions[:rank]
        self.strengths_ = np.divide(kept, values[:rank], out=np.zeros(rank), where=values[:rank] > 0)
        return self

    def _units(self, X: Array) -> tuple[Array, Array]:
        if not self.standardise:
            return np.zeros(X.shape[1]), np.ones(X.shape[1])
        return units_of_known(X)

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        missing = np.isnan(X)
        scaled = np.where(missing, 0.0, (X - self.centre_) / self.scale_)
        onto = (self.directions_.T * self.strengths_) @ self.directions_
        patterns, which = np.unique(missing, axis=0, return_inverse=True)
        for number, holes in enumerate(patterns):
            if holes.any():
                rows = np.flatnonzero(which.ravel() == number)
                # Where the rounds would end: holes that are what the directions make of them and of the known values.
                system = np.eye(holes.sum()) - onto[np.ix_(holes, holes)]
                read = scaled[np.ix_(rows, ~holes)] @ onto[np.ix_(~holes, holes)]
                scaled[np.ix_(rows, holes)] = np.linalg.lstsq(system, read.T, rcond=1e-10)[0].T
        return np.where(missing, scaled * self.scale_ + self.centre_, X)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags
