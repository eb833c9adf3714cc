"""Levels as how common they are."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.preprocessing import OrdinalEncoder
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

Array = np.ndarray[Any, Any]
_NEW, _MISSING = -1, -2


class FrequencyEncoder(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Encodes a level as the share of training rows that have it.

    Missing is a level; one that is new has the share zero.

    Attributes
    ----------
    encoder_ : OrdinalEncoder
        The levels of each column.
    shares_ : list of ndarray
        The shares of these levels, then of missing values, then of new ones: zero.

    Examples
    --------
    >>> from penstock.components.preprocessing.frequency import FrequencyEncoder
    >>> encoder = FrequencyEncoder().fit([["red"], ["red"], ["blue"], ["red"]])
    >>> encoder.transform([["red"], ["blue"], ["green"]]).tolist()
    [[0.75], [0.25], [0.0]]
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        X = validate_data(self, X, dtype=None, ensure_all_finite=False)
        self.encoder_ = OrdinalEncoder(
            handle_unknown="use_encoded_value", unknown_value=_NEW, encoded_missing_value=_MISSING
        )
        codes = self.encoder_.fit_transform(X).astype(int)
        self.shares_ = []
        for column, levels in zip(codes.T, self.encoder_.categories_, strict=True):
            counts = np.bincount(column[column >= 0], minlength=len(levels))[: len(levels)]
            self.shares_.append(np.append(counts, [np.sum(column == _MISSING), 0]) / len(column))
        return self

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=None, ensure_all_finite=False, reset=False)
        codes = self.encoder_.transform(X).astype(int)
        return np.column_stack([shares[column] for shares, column in zip(self.shares_, codes.T, strict=True)])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags
