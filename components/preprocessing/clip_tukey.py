"""Far values brought back to Tukey's fences."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from penstock.components.preprocessing.clipping import Array, Clipper


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
