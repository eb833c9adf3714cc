"""Filling with the commonest value of a row's class."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.impute import SimpleImputer
from sklearn.utils import Tags
from sklearn.utils.validation import check_consistent_length, column_or_1d

Array = np.ndarray[Any, Any]


class ClassModeImputer(SimpleImputer):  # type: ignore[misc]
    """Imputes the most common value among training rows of the same class; for rows of unknown class, that of all rows.

    `fit_transform` gives training rows the former, `transform` gives new rows the latter. A class in which every value
    is missing is filled as new rows are.

    Parameters
    ----------
    missing_values : float, str or None, default=nan
        What stands for a missing value.

    Attributes
    ----------
    statistics_ : ndarray of shape (n_features_in_,)
        The most common value of each column.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.preprocessing.imputation.class_mode import ClassModeImputer
    >>> X = np.array([["a"], ["a"], [np.nan], ["b"], [np.nan], ["a"]], dtype=object)
    >>> imputer = ClassModeImputer()
    >>> imputer.fit_transform(X, [0, 0, 0, 1, 1, 0]).ravel().tolist()
    ['a', 'a', 'a', 'b', 'b', 'a']
    >>> imputer.transform([[np.nan]]).ravel().tolist()
    ['a']
    """

    def __init__(self, *, missing_values: Any = np.nan) -> None:
        super().__init__(missing_values=missing_values, strategy="most_frequent", keep_empty_features=True)

    def fit_transform(self, X: Any, y: Any = None, **_: Any) -> Array:
        filled = self.fit(X, y).transform(X)
        if y is None:
            return np.asarray(filled)
        values, classes = np.asarray(X), column_or_1d(y)
        check_consistent_length(values, classes)
        missing: Array = pd.isna(values) if pd.isna(self.missing_values) else values == self.missing_values
        for label in np.unique(classes[missing.any(axis=1)]):
            rows = np.flatnonzero(classes == label)
            of_class = SimpleImputer(missing_values=self.missing_values, strategy="most_frequent")
            known = ~missing[rows].all(axis=0)
            modes = of_class.fit(values[np.ix_(rows, known)]).statistics_ if known.any() else []
            for column, mode in zip(np.flatnonzero(known), modes, strict=True):
                filled[rows[missing[rows, column]], column] = mode
        return np.asarray(filled)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags
