"""Numbers as their rank."""

from __future__ import annotations

import warnings
from typing import Any, Self

from sklearn import preprocessing


class QuantileTransformer(preprocessing.QuantileTransformer):  # type: ignore[misc]
    """scikit-learn's quantile transformer, silent where rows are fewer than quantiles or a column is empty.

    Quantiles are then as many as rows.

    Parameters
    ----------
    n_quantiles : int, default=1000
        Number of quantiles; no more than rows.
    output_distribution : {"uniform", "normal"}, default="uniform"
        Distribution of the transformed columns.
    ignore_implicit_zeros : bool, default=False
        Whether the zeros that a sparse matrix does not store are left out.
    subsample : int or None, default=10000
        Maximum number of rows that quantiles are estimated from; None takes all.
    random_state : int, RandomState instance or None, default=None
        Seed of the subsample.
    copy : bool, default=True
        Whether `transform` leaves the rows as they are.

    Attributes
    ----------
    quantiles_ : ndarray of shape (n_quantiles, n_features_in_)
        The quantiles of each column.

    Examples
    --------
    >>> from penstock.components.preprocessing.quantile import QuantileTransformer
    >>> QuantileTransformer().fit_transform([[1.0], [10.0], [1000.0]]).tolist()
    [[0.0], [0.5], [1.0]]
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="n_quantiles", category=UserWarning)
            warnings.filterwarnings("ignore", message="All-NaN slice", category=RuntimeWarning)
            super().fit(X, y)
        return self
