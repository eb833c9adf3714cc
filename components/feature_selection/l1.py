"""Keep the columns that a linear model uses under an L1 penalty."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.linear_model import Lasso, LogisticRegression
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.centring import mean_of
from penstock.components.feature_selection.ranking import is_quantity, plain_target

Array = np.ndarray[Any, Any]

NOTHING = 1e-10  # of the most that any column moves the answer by


class L1Selector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Select the columns with a nonzero weight under an L1 penalty, in the lasso or in logistic regression.

    The penalty is on the sum of the weights' sizes, against the mean loss; so it makes weights zero, and the same
    `alpha` is as strict on few rows as on many. Columns should be scaled. A target of floating-point numbers is taken
    as a quantity, any other as classes.

    Parameters
    ----------
    alpha : float, default=0.01
        The penalty: the larger, the fewer columns.
    random_state : int, RandomState instance or None, default=None
        Seed of the order in which rows are visited.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features_in_,)
        Largest absolute weight of the column over the classes.
    kept_ : ndarray of bool of shape (n_features_in_,)
        Whether the column has an influence on predictions.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.feature_selection.l1 import L1Selector
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 3))
    >>> selector = L1Selector(alpha=0.1, random_state=0).fit(X, 2.0 * X[:, 0])
    >>> selector.weights_.round(1).tolist()
    [1.9, 0.0, 0.0]
    >>> selector.get_support().tolist()
    [True, False, False]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
    }

    def __init__(self, alpha: float = 0.01, random_state: Any = None) -> None:
        self.alpha = alpha
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, plain_target(y), dtype=np.float64, ensure_min_samples=2)
        model: Any = Lasso(alpha=self.alpha, random_state=self.random_state)
        if not is_quantity(y):
            check_classification_targets(y)
            strength = 1 / (self.alpha * len(X))
            model = LogisticRegression(
                C=strength, l1_ratio=1, solver="saga", max_iter=1000, random_state=self.random_state
            )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            weights = model.fit(X - mean_of(X), y).coef_  # the constant, which is free, is found near zero
        self.weights_ = np.abs(np.atleast_2d(weights)).max(axis=0)
        # What a column moves the answer by: its weight alone hangs on the unit of the column.
        moves = self.weights_ * X.std(axis=0)
        self.kept_ = moves > NOTHING * moves.max()
        return self

    def _get_support_mask(self) -> Array:
        check_is_fitted(self)
        return np.asarray(self.kept_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
