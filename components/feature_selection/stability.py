"""Keep the columns that are chosen again and again on halves of the rows."""

from __future__ import annotations

import warnings
from math import isqrt
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.linear_model import lars_path
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Tags, check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.centring import in_own_units
from penstock.components.feature_selection.ranking import class_columns, is_quantity, plain_target

Array = np.ndarray[Any, Any]


class StabilitySelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Stability selection by complementary pairs: columns that enter the lasso early on most halves of the rows.

    The rows are halved at random, again and again; in each half the first q columns of the lasso's path are chosen, and
    a column is kept if the share of halves that chose it is at least `threshold`. Of more than two classes each in turn
    chooses its part of the q columns.

    The bound: call a column noise if a half chooses it no more often than q columns drawn at random would, q / p. The
    expected number of such columns among those kept is at most q^2 / ((2 threshold - 1) p). q is the largest number
    for which this is at most `wrong`, and at least 1. (Meinshausen and Buhlmann, 2010, under exchangeable noise; Shah
    and Samworth, 2013, show it for complementary pairs without that assumption, for noise as defined here.)

    Parameters
    ----------
    threshold : float, default=0.75
        Share of halves that must choose a column, above one half.
    wrong : float, default=1.0
        Bound on the expected number of noise columns that are kept.
    pairs : int, default=50
        Number of times that the rows are halved.
    random_state : int, RandomState instance or None, default=None
        Seed of the halves.

    Attributes
    ----------
    shares_ : ndarray of shape (n_features_in_,)
        Share of halves that chose each column.
    bound_ : float
        The bound above, with the q that was taken.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.feature_selection.stability import StabilitySelector
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 5))
    >>> selector = StabilitySelector(pairs=10, random_state=0).fit(X, X[:, 1] + 0.1 * X[:, 4])
    >>> selector.get_support().tolist()
    [False, True, False, False, False]
    >>> selector.bound_
    0.4
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "threshold": [Interval(Real, 0.5, 1, closed="right")],
        "wrong": [Interval(Real, 0, None, closed="neither")],
        "pairs": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, threshold: float = 0.75, wrong: float = 1.0, pairs: int = 50, random_state: Any = None) -> None:
        self.threshold = threshold
        self.wrong = wrong
        self.pairs = pairs
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, plain_target(y), dtype=np.float64, ensure_min_samples=4)
        if is_quantity(y):
            y = in_own_units(y)
        X = in_own_units(X)
        columns = X.shape[1]
        margin = 2 * self.threshold - 1
        early = min(max(1, isqrt(int(self.wrong * margin * columns))), columns)
        target = class_columns(y)
        rng = check_random_state(self.random_state)
        counts = np.zeros(columns)
        for _ in range(self.pairs):
            shuffled = rng.permutation(len(X))
            half = len(X) // 2
            for rows in (shuffled[:half], shuffled[half : 2 * half]):
                counts[_first(X[rows], target[rows], early)] += 1
        self.shares_ = counts / (2 * self.pairs)
        self.bound_ = early**2 / (margin * columns)
        return self

    def _get_support_mask(self) -> Array:
        check_is_fitted(self)
        return np.asarray(self.shares_ >= self.threshold)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _first(X: Array, target: Array, number: int) -> list[int]:
    """The columns that enter the lasso's path first, at most `number`: in turn for each column of the target."""
    X = StandardScaler().fit_transform(X)
    orders = [_path(X, column - column.mean(), number) for column in target.T]
    in_turn = (order[place] for place in range(number) for order in orders if place < len(order))
    return list(dict.fromkeys(in_turn))[:number]


def _path(X: Array, y: Array, number: int) -> list[int]:
    if not y.any():
        return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        active = lars_path(X, y, method="lasso", max_iter=number)[1]
    return [int(column) for column in active]
