"""Columns beside known functions of them: squares, logarithms, waves, the distance from the origin."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from penstock.components.bases.base import Basis

Array = np.ndarray[Any, Any]


class FunctionBasis(Basis):
    """The columns as they are, followed by functions of each: squares, logarithms, waves.

    Parameters
    ----------
    squares : bool, default=True
        Whether to add x^2 of each column.
    logs : bool or "plain", default=False
        Whether to add log(1 + |x|) of each column, with the sign of x. "plain" adds log(x) of each column whose
        training values are all above zero; a later value below their minimum counts as the minimum.
    waves : int, default=0
        Adds sin and cos of 2 pi k x / period of each column, for k = 1, ..., waves.
    period : float or None, default=None
        Length of the longest wave; None takes the range of the column's training values.
    radius : bool, default=False
        Whether to add one column with the sum of all squares, which separates concentric rings.

    Attributes
    ----------
    periods_ : ndarray of shape (n_features_in_,)
        Length of the longest wave of each column.
    least_ : ndarray of shape (n_features_in_,)
        Minimum of each column's training values.

    Examples
    --------
    >>> from penstock.components.bases.functions import FunctionBasis
    >>> X = [[1.0, 2.0], [3.0, 4.0]]
    >>> FunctionBasis(radius=True).fit_transform(X).tolist()
    [[1.0, 2.0, 1.0, 4.0, 5.0], [3.0, 4.0, 9.0, 16.0, 25.0]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "squares": ["boolean"],
        "logs": ["boolean", StrOptions({"plain"})],
        "waves": [Interval(Integral, 0, None, closed="left")],
        "period": [Interval(Real, 0, None, closed="neither"), None],
        "radius": ["boolean"],
    }

    def __init__(
        self,
        squares: bool = True,
        logs: bool | str = False,
        waves: int = 0,
        period: float | None = None,
        radius: bool = False,
    ) -> None:
        self.squares = squares
        self.logs = logs
        self.waves = waves
        self.period = period
        self.radius = radius

    def _learn(self, X: Array) -> None:
        self.least_ = X.min(axis=0)
        spans = X.max(axis=0) - self.least_
        self.periods_ = np.full(X.shape[1], self.period) if self.period else np.where(spans > 0, spans, 1.0)

    def _expand(self, X: Array) -> Array:
        parts = [X]
        if self.squares:
            parts.append(X**2)
        if self.logs == "plain":
            positive = self.least_ > 0
            parts.append(np.log(np.maximum(X, self.least_)[:, positive]))
        elif self.logs:
            parts.append(np.sign(X) * np.log1p(np.abs(X)))
        for wave in range(1, self.waves + 1):
            angles = 2 * np.pi * wave * X / self.periods_
            parts += [np.sin(angles), np.cos(angles)]
        if self.radius:
            parts.append((X**2).sum(axis=1, keepdims=True))
        return np.hstack(parts)

    def _names(self, columns: Array) -> list[str]:
        names = list(columns)
        if self.squares:
            names += [f"{column}^2" for column in columns]
        if self.logs:
            named = columns[self.least_ > 0] if self.logs == "plain" else columns
            names += [f"log {column}" for column in named]
        for wave in range(1, self.waves + 1):
            names += [f"{function} {wave} {column}" for function in ("sin", "cos") for column in columns]
        return [*names, "radius^2"] if self.radius else names
