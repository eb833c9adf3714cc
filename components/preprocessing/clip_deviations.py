"""Far values brought back to so many standard deviations from the mean."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from penstock.components.preprocessing.clipping import Array, Clipper


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
        width[np.nanmin(X, axis=0) == np.nanmax(X, axis=0)] = 0.0  # whose mean may be rounded
        return mean - self.reach * width, mean + self.reach * width
