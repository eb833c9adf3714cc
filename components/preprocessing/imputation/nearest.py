"""Filling from the rows most alike."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.impute import KNNImputer
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

Array = np.ndarray[Any, Any]


class NearestImputer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Imputes the mean of the nearest training rows, with distances in standard deviations of each column.

    scikit-learn's KNNImputer measures in the columns' own units, so that the widest column decides alone. Here columns
    are standardised for the distances, and come out in their own units. A column with no value at all becomes zeros.

    Parameters
    ----------
    neighbours : int, default=5
        Number of neighbours.
    weights : {"uniform", "distance"}, default="uniform"
        Whether nearer ones count for more.

    Attributes
    ----------
    scaler_ : StandardScaler
        Standardises the columns.
    imputer_ : KNNImputer
        The imputer of standardised columns.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.preprocessing.imputation.nearest import NearestImputer
    >>> X = [[1.0, 100.0], [1.1, 110.0], [9.0, 900.0], [1.05, np.nan]]
    >>> NearestImputer(neighbours=2).fit_transform(X)[3].round(2).tolist()
    [1.05, 105.0]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "neighbours": [Interval(Integral, 1, None, closed="left")],
        "weights": [StrOptions({"uniform", "distance"})],
    }

    def __init__(self, neighbours: int = 5, weights: str = "uniform") -> None:
        self.neighbours = neighbours
        self.weights = weights

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        with np.errstate(invalid="ignore"):  # a column with no value has no mean
            self.scaler_ = StandardScaler().fit(X)
        self.imputer_ = KNNImputer(n_neighbors=self.neighbours, weights=self.weights, keep_empty_features=True)
        self.imputer_.fit(self.scaler_.transform(X))
        return self

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        scaled = self.scaler_.transform(X)
        filled = self.scaler_.inverse_transform(self.imputer_.transform(scaled))
        return np.asarray(np.where(np.isnan(X), np.nan_to_num(filled), X))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags
