"""Far values brought back to quantiles."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from penstock.components.preprocessing.clipping import Array, Clipper


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
