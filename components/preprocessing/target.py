"""Levels as the mean target of other rows."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.model_selection import KFold
from sklearn.preprocessing import TargetEncoder
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from penstock.components.feature_selection.ranking import is_quantity, plain_target

Array = np.ndarray[Any, Any]


class InnerFoldTargetEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """scikit-learn's target encoder with shuffled inner folds that also suit tiny data.

    `fit_transform` gives each training row the mean target of its level in the other inner folds, so that no row's own
    target is in its features; `transform` gives new rows the mean over all training rows. Missing is a level of its
    own; a new level gets the mean of all rows. A target of floating-point numbers is taken as a quantity, any other as
    classes; three or more classes give a column each.

    Parameters
    ----------
    smooth : "auto" or float, default="auto"
        Rows of the overall mean that every level is given beforehand; "auto" estimates how many are needed.
    folds : int, default=5
        Number of inner folds; fewer where there are fewer rows.
    random_state : int, RandomState instance or None, default=None
        Seed of the inner folds.

    Attributes
    ----------
    encoder_ : TargetEncoder
        The encoder of new rows.

    Examples
    --------
    >>> from penstock.components.preprocessing.target import InnerFoldTargetEncoder
    >>> encoder = InnerFoldTargetEncoder(smooth=0.0, random_state=0)
    >>> encoder.fit([["a"], ["a"], ["b"], ["b"]], [1.0, 3.0, 10.0, 20.0]).transform([["a"], ["b"], ["c"]]).tolist()
    [[2.0], [15.0], [8.5]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "smooth": [StrOptions({"auto"}), Interval(Real, 0, None, closed="left")],
        "folds": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, smooth: str | float = "auto", folds: int = 5, random_state: Any = None) -> None:
        self.smooth = smooth
        self.folds = folds
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        X, y = self._prepared(X, y)
        self.encoder_.fit(X, y)
        return self

    def fit_transform(self, X: Any, y: Any, **_: Any) -> Array:
        X, y = self._prepared(X, y)
        if len(y) == 1:  # which has no other row to learn from
            return np.asarray(self.encoder_.fit(X, y).transform(X))
        return np.asarray(self.encoder_.fit_transform(X, y))

    def _prepared(self, X: Any, y: Any) -> tuple[Array, Array]:
        self._validate_params()
        X, y = validate_data(self, X, plain_target(y), dtype=None, ensure_all_finite=False)
        kind = "continuous"
        if not is_quantity(y):
            check_classification_targets(y)
            kind = "binary" if len(np.unique(y)) < 3 else "multiclass"
        folds = KFold(min(self.folds, max(len(y), 2)), shuffle=True, random_state=self.random_state)
        self.encoder_ = TargetEncoder(target_type=kind, smooth=self.smooth, cv=folds)
        return X, y

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=None, ensure_all_finite=False, reset=False)
        return np.asarray(self.encoder_.transform(X))

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        check_is_fitted(self)
        return np.asarray(self.encoder_.get_feature_names_out(_check_feature_names_in(self, input_features)))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags
