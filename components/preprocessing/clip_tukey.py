"""Far values brought back to Tukey's fences."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from penstock.components.preprocessing.clipping import Array, Clipper


class TukeyClipper(Clipper):
    """Clips values to Tukey's fences: so many interquartile ranges below the first quartile and above the third.

    Parameters
    ----------
    factor : float, default=1.5
        Interquartile ranges between a quartile and an edge.

    Attributes
    ----------
    low_, high_ : ndarray of shape (n_features_in_,)
        The edges; infinite for a column that has no value, or of whose values more than half are one and the same.

    Examples
    --------
    >>> from penstock.components.preprocessing.clip_tukey import TukeyClipper
    >>> clipper = TukeyClipper(factor=1.5).fit([[0.0], [1.0], [2.0], [3.0], [4.0]])
    >>> clipper.transform([[-9.0], [2.0], [9.0]]).tolist()
    [[-2.0], [2.0], [6.0]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"factor": [Interval(Real, 0, None, closed="left")]}

    def __init__(self, factor: float = 1.5) -> None:
        self.factor = factor

    def _edges(self, X: Array) -> tuple[Array, Array]:
        first, third = np.nanquantile(X, [0.25, 0.75], axis=0)
        width = third - first
        return first - self.factor * width, third + self.factor * width
