"""The quadratic programme of support vectors, by an interior-point method (Mehrotra's predictor and corrector).

From a point near the optimum it is a small step to the optimum itself, once it is known which numbers are at their
bounds: `settle` guesses them, solves for the others, and asks what that makes of the guess, until it stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

Array = np.ndarray[Any, Any]

MAX_STEPS = 60
SHARE_OF_WAY = 0.995
FAR_ENOUGH = 0.1  # a shorter first step says little of its errors; corrected for all of them, steps may go in circles
NEAR = 0.1  # a gap of this share of the objective is near enough to guess the bounds
MAX_GUESSES = 12
CLOSE, CLOSE_ENOUGH = 1e-10, 1e-3  # slopes that count as none: at best, and where rounding leaves no better
BEGIN = 1.0  # where there is no nearer bound
TINY = 1e-150  # what a slope is not divided by
MIN_CURVE = 1e-14
NOT_FELT = 1e-6  # in any slope
SPARE = 1e-9  # of the largest diagonal: lets rows that follow from each other be solved for


class Solved(NamedTuple):
    alpha: Array
    steps: int


def solve_box(Q: Array, linear: Array, upper: Array, balance: Array | None = None, tolerance: float = 1e-12) -> Solved:
    """min 1/2 a'Qa + linear'a with 0 <= a <= upper (which may be infinite) and, if given, balance'a = 0.

    Solved in units in which Q's largest diagonal number is 1, so that the size of rows does not matter.
    """
    unit = float(Q.diagonal().max())
    if unit < TINY:
        unit = 1.0
    found = _interior(Q / unit, linear, upper * unit, balance, tolerance)
    return Solved(found.alpha / unit, found.steps)


def _interior(Q: Array, linear: Array, upper: Array, balance: Array | None, tolerance: float) -> Solved:
    """Every step solves one positive definite system; some ten come near, and then the bounds are guessed."""
    size = len(linear)
    bounded = np.isfinite(upper)
    pairs = size + int(bounded.sum())
    a = np.minimum(upper, BEGIN) / 2
    # The bounds push back by z from below and by s from above.
    z, s, force = np.ones(size), bounded.astype(float), 0.0
    for steps in range(MAX_STEPS):
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
            break
        if (
            gap < NEAR * magnitude
            and (exact := settle(Q, linear, (np.zeros(size), upper), a, balance, force)) is not None
        ):
            return Solved(exact, steps)
        system = Q.copy()
        system[np.diag_indices(size)] += z / a + s / room + MIN_CURVE
        try:  # turned, since the library's arrays run down the columns and this one is symmetric
            factor = cho_factor(system.T, lower=True, overwrite_a=True, check_finite=False)
        except np.linalg.LinAlgError:
            break  # rounding has eaten what was left of the way
        here = _Point(a, z, s, room, bounded, slope, off, balance, factor)
        da, dz, ds, _ = here.towards(0.0)
        step_length = here.step_length(da, dz, ds)
        hoped = float(
            (a + step_length * da) @ (z + step_length * dz) + (room - step_length * da) @ (s + step_length * ds)
        )
        goal, trust = (max(hoped, 0.0) / gap) ** 3 * gap / pairs, min(1.0, (step_length / FAR_ENOUGH) ** 2)
        da, dz, ds, change = here.towards(goal, trust * da * dz, trust * da * ds)
        step_length = SHARE_OF_WAY * here.step_length(da, dz, ds)
        a, z, s, force = a + step_length * da, z + step_length * dz, s + step_length * ds, force + step_length * change
    # What is nearer to its bound than the bound's push is to nothing, is at its bound, unless that would be felt.
    own = np.maximum(Q.diagonal(), SPARE)
    below, above = a * own < z, bounded & ((upper - a) * own < s)
    rounded = np.where(below, 0.0, np.where(above, upper, a))
    return Solved(rounded if np.abs(Q @ (rounded - a)).max() <= NOT_FELT else a, steps)


def settle(
    Q: Array, linear: Array, box: tuple[Array, Array], a: Array, balance: Array | None = None, force: float = 0.0
) -> Array | None:
    """The optimum, from a point near it and the pull of the balance there; None where the guesses do not agree.

    A guess that stands is the optimum: numbers between their bounds have no slope, the others push against theirs.
    """
    largest = float(Q.diagonal().max())
    if largest < TINY:
        return None
    own = np.maximum(Q.diagonal(), SPARE * largest)
    unit = 1 + float(np.abs(linear).max())
    sides: Array | None = None
    nearest, best = np.inf, a
    most_turns, rows, factor = len(a) + 1, Q[:0], None
    for _ in range(MAX_GUESSES):
        slope = Q @ a + linear if balance is None else Q @ a + linear + force * balance
        wish = a - slope / own
        before, sides = sides, np.sign(wish - np.clip(wish, *box))
        free = sides == 0
        turns = len(a) if before is None else int((sides != before).sum())
        if turns == 0:
            off = float(np.abs(slope[free]).max(initial=0.0))
            helped = off < nearest / 2
            if off < nearest:
                nearest, best = off, a
            if nearest <= unit * (CLOSE if helped else _rounding(own, a)):
                return np.clip(best, *box)
        if turns >= most_turns > 0 or not np.isfinite(slope).all():
            return None
        most_turns = turns
        a = np.where(sides < 0, box[0], np.where(sides > 0, box[1], a))
        if free.any():
            if turns:
                rows = Q[free]
                factor = _factor(rows[:, free])
            if factor is None:
                return None
            a, force = _freed(rows, factor, linear[free], balance, a, force, free)
        elif balance is not None:
            return a if _balanced(Q @ a + linear, balance, a, sides) else None
    return None


def _rounding(own: Array, a: Array) -> float:
    """What may be left of a slope: no row's part of Qa is more than its length times the sum of a and lengths."""
    lengths = np.sqrt(own)
    rounded = float(np.finfo(float).eps * lengths.max() * (lengths @ np.abs(a)))
    return min(max(CLOSE, rounded), CLOSE_ENOUGH)


def _balanced(slope: Array, balance: Array, a: Array, sides: Array) -> bool:
    """With every number at a bound: whether they balance, and one pull keeps them all there."""
    needed = -slope / balance
    least = (sides < 0) == (balance > 0)  # these push against their bounds where the pull is at least what they need
    low, high = np.max(needed[least], initial=-np.inf), np.min(needed[~least], initial=np.inf)
    return bool(low <= high and abs(float(balance @ a)) <= CLOSE * float(np.abs(a).sum()))


def _factor(part: Array) -> Any:
    """With a little to spare on the diagonal: the nearest answer is found also where there are many.

    What that costs in exactness, the next guess makes up for.
    """
    part[np.diag_indices(len(part))] += SPARE * part.diagonal().max()
    try:
        return cho_factor(part.T, lower=True, overwrite_a=True, check_finite=False)
    except np.linalg.LinAlgError:
        return None


def _freed(
    rows: Array, factor: Any, linear: Array, balance: Array | None, a: Array, force: float, free: Array
) -> tuple[Array, float]:
    """The free numbers without a slope, the others as they are, and the pull of the balance that goes with them."""
    left, change = rows @ a + linear, 0.0
    if balance is not None:
        left += force * balance[free]
    step = -cho_solve(factor, left, check_finite=False)
    if balance is not None:
        across = cho_solve(factor, balance[free], check_finite=False)
        change = float((balance[free] @ step + balance @ a) / (balance[free] @ across))
        step -= change * across
    a = a.copy()
    a[free] += step
    return a, force + change


@dataclass
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

    def __post_init__(self) -> None:
        if self.balance is not None:
            self._across: Array = cho_solve(self.factor, self.balance, check_finite=False)

    def towards(
        self, goal: float, below: Array | float = 0.0, above: Array | float = 0.0
    ) -> tuple[Array, Array, Array, float]:
        """The step to where a z and room s are the goal, of which `below` and `above` are known errors."""
        pull = goal - self.a * self.z - below
        push = (goal - self.room * self.s + above) * self.bounded
        da = cho_solve(self.factor, -self.slope + pull / self.a - push / self.room, check_finite=False)
        change = 0.0
        if self.balance is not None:
            change = float((self.balance @ da + self.off) / (self.balance @ self._across))
            da = da - self._across * change
        return da, (pull - self.z * da) / self.a, (push + self.s * da) / self.room, change

    def step_length(self, da: Array, dz: Array, ds: Array) -> float:
        """How much of a step keeps everything positive."""
        inside = self.bounded
        pairs = ((self.a, da), (self.z, dz), (self.room[inside], -da[inside]), (self.s[inside], ds[inside]))
        shares = [float(np.min(-value[step < 0] / step[step < 0], initial=1.0)) for value, step in pairs]
        return min(shares)
