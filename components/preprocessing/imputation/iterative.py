"""Filling by prediction from the other columns."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning

# Its public name has to be enabled first, since scikit-learn may still change it between versions.
from sklearn.impute._iterative import IterativeImputer
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.centring import units_of_known

Array = np.ndarray[Any, Any]


class RoundsImputer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Iterative imputation: each column with missing values is predicted from the others by Bayesian ridge, in turn.

    It is scikit-learn's IterativeImputer on standardised columns, since what it takes for noise does not know their
    units, without a warning where it has not converged: what still moves after the last round hardly matters to a
    model. A column with no value at all becomes zeros.

    Parameters
    ----------
    rounds : int, default=10
        Maximum number of times that each column is predicted.
    start : {"mean", "median"}, default="mean"
        What missing values are filled with before the first round.

    Attributes
    ----------
    imputer_ : IterativeImputer
        The imputer of standardised columns.
    centre_, scale_ : ndarray of shape (n_features_in_,)
        Mean and standard deviation of the known values of each column.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.preprocessing.imputation.iterative import RoundsImputer
    >>> X = [[1.0, 2.0], [2.0, 4.0], [3.0, np.nan], [4.0, 8.0]]
    >>> RoundsImputer().fit_transform(X)[2].round(1).tolist()
    [3.0, 6.0]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "rounds": [Interval(Integral, 1, None, closed="left")],
        "start": [StrOptions({"mean", "median"})],
    }

    def __init__(self, rounds: int = 10, start: str = "mean") -> None:
        self.rounds = rounds
        self.start = start

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        self.centre_, self.scale_ = units_of_known(X)
        self.imputer_ = IterativeImputer(
            max_iter=self.rounds, initial_strategy=self.start, keep_empty_features=True, random_state=0
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            self.imputer_.fit((X - self.centre_) / self.scale_)
        return self

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        filled = self.imputer_.transform((X - self.centre_) / self.scale_)
        return np.asarray(np.where(np.isnan(X), filled * self.scale_ + self.centre_, X))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags
