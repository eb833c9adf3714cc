"""Far values brought back to quantiles."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from penstock.components.preprocessing.clipping import Array, Clipper


class QuantileClipper(Clipper):
    """Clips values to quantiles of the training rows.

    Parameters
    ----------
    share : float, default=0.01
        Share of the training rows beyond each edge.

    Attributes
    ----------
    low_, high_ : ndarray of shape (n_features_in_,)
        The edges; infinite for a column that has no value, or of whose values more than half are one and the same.

    Examples
    --------
    >>> from penstock.components.preprocessing.clip_quantiles import QuantileClipper
    >>> clipper = QuantileClipper(share=0.25).fit([[0.0], [1.0], [2.0], [3.0], [4.0]])
    >>> clipper.transform([[-9.0], [2.0], [9.0]]).tolist()
    [[1.0], [2.0], [3.0]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"share": [Interval(Real, 0, 0.5, closed="neither")]}

    def __init__(self, share: float = 0.01) -> None:
        self.share = share

    def _edges(self, X: Array) -> tuple[Array, Array]:
        low, high = np.nanquantile(X, [self.share, 1 - self.share], axis=0)
        return low, high
