"""Far values brought back to the edge of what is usual in the training rows."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data

Array = np.ndarray[Any, Any]


class Clipper(OneToOneFeatureMixin, TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Shared by the clippers: subclasses say where the edges are. Missing values stay missing.

    Attributes
    ----------
    low_, high_ : ndarray of shape (n_features_in_,)
        The edges; infinite for a column that has no value, or of whose values more than half are one and the same.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}

    @abstractmethod
    def _edges(self, X: Array) -> tuple[Array, Array]:
        """The lowest and the highest usual value of each column; not a number where there is none."""

    def fit(self, X: Any, y: Any = None) -> Self:
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", category=RuntimeWarning)  # of a column with no value
            low, high = self._edges(X)
        # Equal edges would make a constant of a column that is, say, zero in most rows.
        usual = low < high
        self.low_, self.high_ = np.where(usual, low, -np.inf), np.where(usual, high, np.inf)
        return self

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        return np.asarray(np.clip(X, self.low_, self.high_))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags


class QuantileClipper(Clipper):
    """The edges are quantiles of the training rows.

    Parameters
    ----------
    share : float
        Share of the training rows beyond each edge.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"share": [Interval(Real, 0, 0.5, closed="neither")]}

    def __init__(self, share: float = 0.01) -> None:
        self.share = share

    def _edges(self, X: Array) -> tuple[Array, Array]:
        low, high = np.nanquantile(X, [self.share, 1 - self.share], axis=0)
        return low, high


class TukeyClipper(Clipper):
    """The edges are Tukey's fences: so many widths of the middle half below and above it.

    Parameters
    ----------
    reach : float
        Widths of the middle half between it and an edge.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"reach": [Interval(Real, 0, None, closed="left")]}

    def __init__(self, reach: float = 1.5) -> None:
        self.reach = reach

    def _edges(self, X: Array) -> tuple[Array, Array]:
        first, third = np.nanquantile(X, [0.25, 0.75], axis=0)
        width = third - first
        return first - self.reach * width, third + self.reach * width


class DeviationClipper(Clipper):
    """The edges are so many standard deviations from the mean, which far values move themselves.

    Parameters
    ----------
    reach : float
        Standard deviations between the mean and an edge.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"reach": [Interval(Real, 0, None, closed="neither")]}

    def __init__(self, reach: float = 3.0) -> None:
        self.reach = reach

    def _edges(self, X: Array) -> tuple[Array, Array]:
        mean, width = np.nanmean(X, axis=0), np.nanstd(X, axis=0)
        return mean - self.reach * width, mean + self.reach * width
