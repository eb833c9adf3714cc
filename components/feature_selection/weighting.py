"""Columns weighted so that each has the same say in a distance."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.centring import mean_of

Array = np.ndarray[Any, Any]


class EqualInfluence(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Multiplies columns by weights inverse to their mean dissimilarity over all pairs of rows; the weights sum to one.

    The mean is over all N^2 pairs (the courses print the weight without the bar of the mean); for squared differences
    it is twice the variance. Columns are multiplied by the root of their weight, or by the weight for absolute
    differences, so that a plain distance weighs them. Equal influence can hide real groups, which often show in few
    columns.

    Parameters
    ----------
    dissimilarity : {"squared", "absolute"}, default="squared"
        Dissimilarity of two values.

    Attributes
    ----------
    mean_dissimilarity_ : ndarray of shape (n_features_in_,)
        Mean dissimilarity of each column.
    weights_ : ndarray of shape (n_features_in_,)
        Weight of each column; 0 of one that does not vary.

    Examples
    --------
    >>> from penstock.components.feature_selection.weighting import EqualInfluence
    >>> scaler = EqualInfluence().fit([[0.0, 0.0], [2.0, 4.0]])
    >>> scaler.mean_dissimilarity_.tolist()
    [2.0, 8.0]
    >>> scaler.weights_.round(2).tolist()
    [0.8, 0.2]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "dissimilarity": [StrOptions({"squared", "absolute"})],
    }

    def __init__(self, dissimilarity: str = "squared") -> None:
        self.dissimilarity = dissimilarity

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64)
        X = X - mean_of(X)
        if self.dissimilarity == "squared":
            self.mean_dissimilarity_ = 2 * np.mean(X**2, axis=0)
        else:  # the sum over pairs of sorted values, each counted as often as it is the larger one
            rank = 2 * np.arange(1, len(X) + 1) - len(X) - 1
            self.mean_dissimilarity_ = 2 * (rank @ np.sort(X, axis=0)) / len(X) ** 2
        tiny = np.finfo(np.float64).tiny
        inverse = np.where(self.mean_dissimilarity_ > tiny, 1 / np.maximum(self.mean_dissimilarity_, tiny), 0.0)
        self.weights_ = inverse / (inverse.sum() or 1.0)
        return self

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        factor = np.sqrt(self.weights_) if self.dissimilarity == "squared" else self.weights_
        weighted: Array = X * factor
        return weighted

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags
