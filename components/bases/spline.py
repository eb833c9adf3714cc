"""Smooth pieces of each column."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.preprocessing import SplineTransformer
from sklearn.utils._param_validation import Interval

from penstock.components.bases.base import Basis

Array = np.ndarray[Any, Any]


class SplineBasis(Basis):
    """scikit-learn's B-splines with knots at quantiles, continued as straight lines beyond the training rows.

    A knot that repeated values would give twice is taken once; a column in which fewer than two are left stays as it
    is.

    Parameters
    ----------
    n_knots : int, default=5
        Knots of each column, both ends included.
    degree : int, default=3
        Degree of the pieces.

    Attributes
    ----------
    knots_ : list of ndarray
        The knots of each column.

    Examples
    --------
    >>> from penstock.components.bases.spline import SplineBasis
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0]]
    >>> basis = SplineBasis(n_knots=3, degree=2).fit(X)
    >>> basis.knots_[0].tolist()
    [0.0, 2.0, 4.0]
    >>> basis.transform([[2.0]]).round(2).tolist()
    [[0.0, 0.5, 0.5]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_knots": [Interval(Integral, 2, None, closed="left")],
        "degree": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, n_knots: int = 5, degree: int = 3) -> None:
        self.n_knots = n_knots
        self.degree = degree

    def _learn(self, X: Array) -> None:
        quantiles = np.quantile(X, np.linspace(0, 1, self.n_knots), axis=0)
        self.knots_ = [np.unique(knots) for knots in quantiles.T]

    def _expand(self, X: Array) -> Array:
        counts = np.array([len(knots) for knots in self.knots_])
        parts: dict[int, Array] = {}
        for count in np.unique(counts):  # columns with as many knots at once
            places = np.flatnonzero(counts == count)
            expanded = X[:, places]
            if count > 1:
                expanded = self._spline(np.column_stack([self.knots_[place] for place in places])).transform(expanded)
            parts.update(zip(places, np.hsplit(expanded, len(places)), strict=True))
        return np.hstack([parts[place] for place in range(len(counts))])

    def _spline(self, knots: Array) -> SplineTransformer:
        """Made anew from the knots, which are all that it learns; fitted, it holds what no model file should."""
        # Straight pieces go on straight; asked for that, scikit-learn 1.9 is wrong in all columns but the first.
        beyond = "continue" if self.degree == 1 else "linear"
        spline = SplineTransformer(
            n_knots=len(knots), degree=self.degree, knots=knots, extrapolation=beyond, include_bias=False
        )
        return spline.fit(knots)

    def _names(self, columns: Array) -> list[str]:
        return [
            name if len(knots) < 2 else f"{name} piece {piece + 1}"
            for name, knots in zip(columns, self.knots_, strict=True)
            for piece in range(1 if len(knots) < 2 else len(knots) + self.degree - 2)
        ]
