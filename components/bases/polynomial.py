"""Powers and products of columns."""

from __future__ import annotations

from itertools import accumulate, repeat
from math import comb
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.utils._param_validation import Interval, StrOptions

from penstock.components.bases.base import Basis
from penstock.errors import UsageError

Array = np.ndarray[Any, Any]

MAX_COLUMNS = 5000


class PolynomialBasis(Basis):
    """Powers of columns and products of them up to a degree.

    Of p columns with the constant there are (p + d)! / (p! d!) terms. Printed is (p + d) / d at times, but it is the
    binomial coefficient: 10 of three columns and degree two, 9 without the constant, which linear models add
    themselves.

    Columns are standardised first by default. What a linear model can fit is the same, but powers of, say, years no
    longer all look alike. More than 5000 columns are refused.

    Parameters
    ----------
    degree : int, default=2
        The highest sum of exponents.
    terms : {"all", "products", "powers"}, default="all"
        Powers and products; only products of different columns; or only powers of each column, without interactions.
        The columns themselves are always included.
    include_bias : bool, default=False
        Whether a column of ones, the term of degree zero, comes first.
    standardise : bool, default=True
        Whether columns are standardised first. Without it, and read from the last to the first with a column of ones
        behind, the powers of one column are the design x^p, ..., x, 1 of books.

    Attributes
    ----------
    scaler_ : StandardScaler
        Standardises the columns; fitted only if `standardise`.
    exponents_ : ndarray of shape (n_output, n_features_in_)
        Exponent of each column in each term.

    Examples
    --------
    >>> from penstock.components.bases.polynomial import PolynomialBasis
    >>> basis = PolynomialBasis(degree=2, standardise=False)
    >>> basis.fit_transform([[2.0, 3.0], [1.0, 5.0]]).tolist()
    [[2.0, 3.0, 4.0, 6.0, 9.0], [1.0, 5.0, 1.0, 5.0, 25.0]]
    >>> basis.get_feature_names_out(["a", "b"]).tolist()
    ['a', 'b', 'a^2', 'a * b', 'b^2']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "degree": [Interval(Integral, 1, None, closed="left")],
        "terms": [StrOptions({"all", "products", "powers"})],
        "include_bias": ["boolean"],
        "standardise": ["boolean"],
    }

    def __init__(
        self, degree: int = 2, terms: str = "all", include_bias: bool = False, standardise: bool = True
    ) -> None:
        self.degree = degree
        self.terms = terms
        self.include_bias = include_bias
        self.standardise = standardise

    def _learn(self, X: Array) -> None:
        columns = X.shape[1]
        wide = columns * self.degree if self.terms == "powers" else comb(columns + self.degree, self.degree) - 1
        if self.terms == "products":
            wide = sum(comb(columns, size) for size in range(1, self.degree + 1))
        if wide > MAX_COLUMNS:
            raise UsageError(
                "PEN026",
                f"{columns} columns have {wide:,} terms up to degree {self.degree}, and {MAX_COLUMNS:,} is the most",
                where="preparation.expand: polynomial",
                remedy="lower the degree, say `terms: powers`, or expand single columns under preparation.columns",
            )
        self.scaler_ = StandardScaler(with_mean=self.standardise, with_std=self.standardise).fit(X)
        if self.terms == "powers":
            exponents = np.vstack([power * np.eye(columns, dtype=int) for power in range(1, self.degree + 1)])
        else:
            exponents = self._products().fit(X).powers_
        self.exponents_ = np.vstack([np.zeros((int(self.include_bias), columns), dtype=int), exponents])

    def _products(self) -> PolynomialFeatures:
        return PolynomialFeatures(self.degree, include_bias=False, interaction_only=self.terms == "products")

    def _expand(self, X: Array) -> Array:
        scaled = self.scaler_.transform(X)
        if self.terms == "powers":
            expanded = np.hstack([*accumulate(repeat(scaled, self.degree), np.multiply)])
        else:
            expanded = np.asarray(self._products().fit_transform(scaled))
        return expanded if self.exponents_[0].any() else np.hstack([np.ones((len(X), 1)), expanded])

    def _names(self, columns: Array) -> list[str]:
        def power(column: str, exponent: int) -> str:
            return column if exponent == 1 else f"{column}^{exponent}"

        return [
            " * ".join(power(columns[place], exponents[place]) for place in np.flatnonzero(exponents)) or "1"
            for exponents in self.exponents_
        ]
