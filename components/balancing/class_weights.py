"""Rows of rare classes that count for more."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval

Array = np.ndarray[Any, Any]


class ClassWeights(BaseEstimator):  # type: ignore[misc]
    """Sample weights that fall with the size of a row's class, and add up to the number of rows.

    Parameters
    ----------
    strength : float, default=1.0
        1 gives every class the same total weight, 0 every row the same weight; values between are a compromise.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.balancing.class_weights import ClassWeights
    >>> weights = ClassWeights().weigh(np.array(["no", "no", "no", "yes"]))
    >>> weights.round(2).tolist()
    [0.67, 0.67, 0.67, 2.0]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"strength": [Interval(Real, 0, 1, closed="both")]}

    def __init__(self, strength: float = 1.0) -> None:
        self.strength = strength

    def weigh(self, y: Array, weight: Array | None = None) -> Array:
        """The weight of each row, times the weight that it has already."""
        own = np.ones(len(y)) if weight is None else weight
        classes = np.unique(y, return_inverse=True)[1]
        sums = np.bincount(classes, weights=own)
        some = sums > 0  # rows without weight stay so, and no class of nothing else has a share
        shares = np.divide(sums.mean(), sums, out=np.zeros(len(sums)), where=some)
        weighed: Array = own * shares[classes] ** self.strength
        return np.asarray(weighed * (own.sum() / weighed.sum()))
