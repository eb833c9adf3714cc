"""The quadratic programme of support vectors, by an interior-point method (Mehrotra's predictor and corrector)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

Array = np.ndarray[Any, Any]

MOST_STEPS = 60
SHARE_OF_WAY = 0.995


class Solved(NamedTuple):
    alpha: Array
    steps: int


def solve_box(Q: Array, linear: Array, upper: Array, balance: Array | None = None, tolerance: float = 1e-12) -> Solved:
    """min 1/2 a'Qa + linear'a with 0 <= a <= upper (which may be infinite) and, if given, balance'a = 0.

    Every step solves one positive definite system; some twenty reach the optimum to the last digits.
    """
    size = len(linear)
    bounded = np.isfinite(upper)
    pairs = size + int(bounded.sum())
    a = np.full(size, float(np.min(upper[bounded], initial=1.0)) / 2)
    a[bounded] = upper[bounded] / 2
    # The bounds push back by z from below and by s from above.
    z, s, force = np.ones(size), bounded.astype(float), 0.0
    for steps in range(MOST_STEPS):
        room = np.where(bounded, upper - a, 1.0)
        curved = Q @ a
        slope = curved + linear - z + s
        off = 0.0
        if balance is not None:
            slope += force * balance
            off = float(balance @ a)
        gap = float(a @ z + room @ s)
        magnitude = 1.0 + abs(float(a @ curved / 2 + linear @ a))
        if max(gap, np.abs(slope).max() / 10, abs(off) / 10) < tolerance * magnitude:
            return Solved(a, steps)
        system = Q.copy()
        system[np.diag_indices(size)] += z / a + s / room
        try:
            factor = cho_factor(system, lower=True, overwrite_a=True, check_finite=False)
        except np.linalg.LinAlgError:
            return Solved(a, steps)  # rounding has eaten what was left of the way
        here = _Point(a, z, s, room, bounded, slope, off, balance, factor)
        da, dz, ds, _ = here.towards(0.0)
        reach = here.reach(da, dz, ds)
        hoped = float((a + reach * da) @ (z + reach * dz) + (room - reach * da) @ (s + reach * ds))
        da, dz, ds, change = here.towards((max(hoped, 0.0) / gap) ** 3 * gap / pairs, da * dz, da * ds)
        reach = SHARE_OF_WAY * here.reach(da, dz, ds)
        a, z, s, force = a + reach * da, z + reach * dz, s + reach * ds, force + reach * change
    return Solved(a, MOST_STEPS)


@dataclass(frozen=True)
class _Point:
    """A point inside the box, and the conditions of the optimum made linear there."""

    a: Array
    z: Array
    s: Array
    room: Array
    bounded: Array
    slope: Array
    off: float
    balance: Array | None
    factor: Any

    def towards(
        self, goal: float, below: Array | float = 0.0, above: Array | float = 0.0
    ) -> tuple[Array, Array, Array, float]:
        """The step to where a z and room s are the goal, of which `below` and `above` are known errors."""
        pull = goal - self.a * self.z - below
        push = (goal - self.room * self.s + above) * self.bounded
        da = cho_solve(self.factor, -self.slope + pull / self.a - push / self.room, check_finite=False)
        change = 0.0
        if self.balance is not None:
            across = cho_solve(self.factor, self.balance, check_finite=False)
            change = float((self.balance @ da + self.off) / (self.balance @ across))
            da = da - across * change
        return da, (pull - self.z * da) / self.a, (push + self.s * da) / self.room, change

    def reach(self, da: Array, dz: Array, ds: Array) -> float:
        """How much of a step keeps everything positive."""
        inside = self.bounded
        pairs = ((self.a, da), (self.z, dz), (self.room[inside], -da[inside]), (self.s[inside], ds[inside]))
        shares = [float(np.min(-value[step < 0] / step[step < 0], initial=1.0)) for value, step in pairs]
        return min(shares)
