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
    """scikit-learn's B-splines with knots at quantiles, and straight on beyond the training rows.

    A knot that many equal values would give twice is taken once; a column in which fewer than two are left stays as it
    is.

    Parameters
    ----------
    n_knots : int
        Knots of each column, the ends among them.
    degree : int
        Degree of the pieces.

    Attributes
    ----------
    splines_ : list of SplineTransformer or None
        One for each column.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_knots": [Interval(Integral, 2, None, closed="left")],
        "degree": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, n_knots: int = 5, degree: int = 3) -> None:
        self.n_knots = n_knots
        self.degree = degree

    def _learn(self, X: Array) -> None:
        self.splines_ = []
        for column in X.T:
            knots = np.unique(np.quantile(column, np.linspace(0, 1, self.n_knots)))
            spline = None
            if len(knots) > 1:
                spline = SplineTransformer(
                    n_knots=len(knots),
                    degree=self.degree,
                    knots=knots[:, None],
                    extrapolation="linear",
                    include_bias=False,
                ).fit(column[:, None])
            self.splines_.append(spline)

    def _expand(self, X: Array) -> Array:
        parts = [
            column[:, None] if spline is None else spline.transform(column[:, None])
            for column, spline in zip(X.T, self.splines_, strict=True)
        ]
        return np.hstack(parts)

    def _names(self, columns: Array) -> list[str]:
        return [
            name if spline is None else f"{name} piece {piece + 1}"
            for name, spline in zip(columns, self.splines_, strict=True)
            for piece in range(1 if spline is None else spline.n_features_out_)
        ]
