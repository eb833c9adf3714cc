"""Small functions that books let solvers loose on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from penstock.components.optimisation.descent import Function, Slope
from penstock.components.optimisation.risk import Risk
from penstock.components.optimisation.trace import Array
from penstock.components.teaching.solvers.newton import Curvature


@dataclass(frozen=True)
class Bowl:
    """1/2 t'At - b't, whose least value is where At = b."""

    A: Array
    b: Array

    def value(self, t: Array) -> float:
        return float(t @ self.A @ t / 2 - self.b @ t)

    def slope(self, t: Array) -> Array:
        steep: Array = self.A @ t - self.b
        return steep


@dataclass(frozen=True)
class Course:
    """A function by its formula; `bowl` where it is one, no `curvature` where it has a kink."""

    formula: str
    start: tuple[float, ...]
    value: Function
    slope: Slope
    curvature: Curvature | None = None
    bowl: Bowl | None = None


def _of_bowl(formula: str, start: tuple[float, ...], bowl: Bowl) -> Course:
    return Course(formula, start, bowl.value, bowl.slope, lambda _: bowl.A, bowl)


# Least squares of orthonormal columns whose own weights are (3, -0.4), in the mean over two rows.
_KINK = Risk(np.sqrt(2) * np.eye(2), np.sqrt(2) * np.array([3.0, -0.4]), penalty=2.0, power=1)

COURSES: dict[str, Course] = {
    "bowl": _of_bowl(
        "2 x² + x y + 3/2 y² - x - 2 y", (0.0, 0.0), Bowl(np.array([[4.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0]))
    ),
    "valley": _of_bowl("(x² + 50 y²) / 2", (1.0, 1.0), Bowl(np.diag([1.0, 50.0]), np.zeros(2))),
    "quartic": Course(
        "x⁴", (1.0,), lambda x: float(x[0] ** 4), lambda x: 4 * x**3, lambda x: np.diag(12 * x**2)
    ),
    "hills": Course(
        "x⁴ - 2 x² + 0.3 x",
        (2.0,),
        lambda x: float(x[0] ** 4 - 2 * x[0] ** 2 + 0.3 * x[0]),
        lambda x: 4 * x**3 - 4 * x + 0.3,
        lambda x: np.diag(12 * x**2 - 4),
    ),
    "logarithm": Course(
        "x - log x",
        (0.5,),
        lambda x: float(x[0] - np.log(x[0])) if x[0] > 0 else np.inf,
        lambda x: 1 - 1 / x,
        lambda x: np.diag(1 / x**2),
    ),
    "kink": Course("(x - 3)² + (y + 0.4)² + |x| + |y|", (0.0, 0.0), _KINK.value, _KINK.slope),
}  # fmt: skip
