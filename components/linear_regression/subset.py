"""Which so many columns leave least squares with the least error on the training rows."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.centring import mean_of
from penstock.components.linear_regression.leaps import Triangle, backward_order, best_subset
from penstock.components.linear_regression.sequential import forward_order

Array = np.ndarray[Any, Any]


class SubsetSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Best subset of columns for least squares, by the error on the training rows.

    Where wrappers evaluate on inner folds, this takes the training error itself, which is quick and honest as long as
    the number of columns is fixed: between numbers of columns the training error cannot choose.

    Parameters
    ----------
    keep : int, default=5
        Number of columns; all of them, where there are fewer.
    search : {"forward", "backward", "exact"}, default="forward"
        Add the column that lowers the error most; drop the one that raises it least; or find the best set of all by
        leaps and bounds, which does for about 30 columns, and for 50 where few of them matter.
    fit_intercept : bool, default=True
        Whether the model has an intercept.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features_in_,)
        Whether each column is selected.
    errors_ : ndarray
        Residual sums of squares: forward with 0, 1, ... columns; backward with all, one less, ...; exact of the set.
    order_ : ndarray of int
        Columns in the order in which they came (forward) or went (backward); those of the set (exact).

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.linear_regression.subset import SubsetSelector
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(30, 4))
    >>> selector = SubsetSelector(keep=2, search="exact").fit(X, 3 * X[:, 2] - X[:, 0])
    >>> selector.get_support().tolist()
    [True, False, True, False]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "keep": [Interval(Integral, 1, None, closed="left")],
        "search": [StrOptions({"forward", "backward", "exact"})],
        "fit_intercept": ["boolean"],
    }

    def __init__(self, keep: int = 5, search: str = "forward", fit_intercept: bool = True) -> None:
        self.keep = keep
        self.search = search
        self.fit_intercept = fit_intercept

    def fit(self, X: Any, y: Any) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2)
        if self.fit_intercept:
            X, y = X - mean_of(X), y - mean_of(y)
        # First by their largest numbers, whose squares may be none.
        X, money = X / _or_one(np.abs(X).max(axis=0)), float(np.abs(y).max()) or 1.0
        X, y = X / _or_one(np.sqrt(np.einsum("ij,ij->j", X, X))), y / money
        keep = min(self.keep, X.shape[1])
        if self.search == "forward":
            order, errors = forward_order(X, y, keep)
            kept = order
        elif self.search == "backward":
            order = backward_order(Triangle.of(X, y), keep)
            kept = sorted(set(range(X.shape[1])) - set(order))
            errors = forward_order(X, y, X.shape[1], [*kept, *reversed(order)])[1][: keep - 1 : -1]
        else:
            order = kept = best_subset(Triangle.of(X, y), keep, forward_order(X, y, keep)[0])
            errors = forward_order(X, y, keep, kept)[1][-1:]
        self.order_ = np.array(order, dtype=np.int64)
        self.errors_ = np.array(errors) * money * money
        self.support_ = np.isin(np.arange(X.shape[1]), kept)
        return self

    def _get_support_mask(self) -> Array:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _or_one(sizes: Array) -> Array:
    return np.where(sizes > 0, sizes, 1.0)
