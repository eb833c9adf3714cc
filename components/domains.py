"""What a parameter may be: a range of numbers or a list of values, with the value it has by default."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

Value = bool | int | float | str | None


def to_yaml(value: object) -> str:
    """As a pipeline file says it."""
    words = {None: "null", True: "true", False: "false"}
    return words[value] if value is None or isinstance(value, bool) else str(value)


@dataclass(frozen=True, kw_only=True)
class Float:
    """A number between two bounds, both included.

    Parameters
    ----------
    low : float
        Lower bound.
    high : float
        Upper bound.
    default : float
        The value where a search starts.
    log : bool, default=False
        Whether values are drawn by orders of magnitude, as suits rates and penalties.

    Examples
    --------
    >>> from penstock.components.domains import Float
    >>> rate = Float(low=0.001, high=10.0, default=0.1, log=True)
    >>> rate.grid(4)
    [0.003162, 0.03162, 0.1, 3.162]
    >>> 0.5 in rate, 20 in rate
    (True, False)
    """

    low: float
    high: float
    default: float
    log: bool = False

    def draw(self, rng: np.random.Generator) -> float:
        return self._at(rng.random())

    def grid(self, points: int = 3) -> list[float]:
        """Points at equal steps inside the bounds; the one nearest to the default gives way to it."""
        values = [self._at((step + 0.5) / points) for step in range(points)]
        values[min(int(self._share(self.default) * points), points - 1)] = self.default
        return values

    def size(self) -> float:
        """How many values there are."""
        return math.inf

    def describe(self) -> str:
        return f"{self.low:g} to {self.high:g}{', by orders' if self.log else ''}"

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.low <= value <= self.high

    def _at(self, share: float) -> float:
        value = self.low + (self.high - self.low) * share
        if self.log:
            value = self.low * (self.high / self.low) ** share
        # Four digits: nobody can tell finer ones apart, and these can be read and typed.
        return min(max(float(f"{value:.4g}"), self.low), self.high)

    def _share(self, value: float) -> float:
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True, kw_only=True)
class Int:
    """A whole number between two bounds, both included.

    Parameters
    ----------
    low : int
        Lower bound.
    high : int
        Upper bound.
    default : int
        The value where a search starts.
    log : bool, default=False
        Whether values are drawn by orders of magnitude.

    Examples
    --------
    >>> from penstock.components.domains import Int
    >>> depth = Int(low=1, high=9, default=5)
    >>> depth.grid(3), depth.size()
    ([2, 5, 8], 9)
    """

    low: int
    high: int
    default: int
    log: bool = False

    def draw(self, rng: np.random.Generator) -> int:
        return self._round(self._widened().draw(rng))

    def grid(self, points: int = 3) -> list[int]:
        return list(dict.fromkeys(self._round(value) for value in self._widened().grid(points)))

    def size(self) -> int:
        return self.high - self.low + 1

    def describe(self) -> str:
        return f"whole numbers from {self.low} to {self.high}{', by orders' if self.log else ''}"

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.low <= value <= self.high

    def _widened(self) -> Float:
        """Half a step more on both sides, so that the ends are drawn as readily as their neighbours."""
        return Float(low=self.low - 0.5, high=self.high + 0.5, default=float(self.default), log=self.log)

    def _round(self, value: float) -> int:
        return min(max(round(value), self.low), self.high)


@dataclass(frozen=True)
class OneOf:
    """One of the values listed.

    Parameters
    ----------
    values : tuple of bool, int, float, str or None
        The values.
    default : bool, int, float, str or None
        The value where a search starts.

    Examples
    --------
    >>> from penstock.components.domains import OneOf
    >>> weights = OneOf(("uniform", "distance"), default="uniform")
    >>> weights.grid(), "nearest" in weights
    (['uniform', 'distance'], False)
    """

    values: tuple[Value, ...]
    default: Value

    def draw(self, rng: np.random.Generator) -> Value:
        return self.values[int(rng.integers(len(self.values)))]

    def grid(self, points: int = 3) -> list[Value]:
        """All values, however many points were asked for: there is no order to thin them by."""
        return list(self.values)

    def size(self) -> int:
        return len(self.values)

    def describe(self) -> str:
        return ", ".join(to_yaml(value) for value in self.values)

    def __contains__(self, value: object) -> bool:
        return value in self.values


Domain = Float | Int | OneOf
