"""Far values brought back to so many standard deviations from the mean."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from penstock.components.preprocessing.clipping import Array, Clipper


class DeviationClipper(Clipper):
    """Clips values that are more than so many standard deviations from the mean, which outliers move themselves.

    Parameters
    ----------
    factor : float, default=3.0
        Standard deviations between the mean and an edge.

    Attributes
    ----------
    low_, high_ : ndarray of shape (n_features_in_,)
        The edges; infinite for a column that has no value, or of whose values more than half are one and the same.

    Examples
    --------
    >>> from penstock.components.preprocessing.clip_deviations import DeviationClipper
    >>> clipper = DeviationClipper(factor=1.0).fit([[1.0], [2.0], [3.0]])
    >>> clipper.transform([[2.5], [100.0]]).round(2).tolist()
    [[2.5], [2.82]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"factor": [Interval(Real, 0, None, closed="neither")]}

    def __init__(self, factor: float = 3.0) -> None:
        self.factor = factor

    def _edges(self, X: Array) -> tuple[Array, Array]:
        mean, width = np.nanmean(X, axis=0), np.nanstd(X, axis=0)
        width[np.nanmin(X, axis=0) == np.nanmax(X, axis=0)] = 0.0  # whose mean may be rounded
        return mean - self.factor * width, mean + self.factor * width
