"""Sequential minimal optimisation: two multipliers at a time, each step in closed form, every step remembered.

The pair is the one that breaks the conditions of the optimum most (the notes name no rule). For it, with
eta = K_ii + K_jj - 2 K_ij and errors E, a_j moves by y_j (E_i - E_j) / eta, is clipped so that both stay in their box,
and a_i pays for it, so that sum a y stays what it was.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]

LEAST_CURVATURE = 1e-12


class Step(NamedTuple):
    """The pair, the curvature along it, the dual objective after the step, and how far the pair was from optimal."""

    first: int
    second: int
    eta: float
    dual: float
    violation: float


class Path(NamedTuple):
    alpha: Array
    steps: list[Step]
    converged: bool


def smo(gram: Array, signs: Array, upper: Array, tolerance: float = 1e-3, most_steps: int = 100_000) -> Path:
    """From zero until every row meets its condition within the tolerance, or the steps are used up."""
    alpha = np.zeros(len(signs))
    wanted = signs.astype(float)  # y - sum_j a_j y_j K_ij, without a bias, which cancels in every difference
    # The same of rows whose a y may grow, and of those whose may fall; the others can never be chosen.
    rising = np.where(signs > 0, wanted, -np.inf)
    falling = np.where(signs > 0, np.inf, wanted)
    own = np.diag(gram).tolist()
    dual = 0.0
    steps: list[Step] = []
    for _ in range(most_steps):
        i, j = int(rising.argmax()), int(falling.argmin())
        violation = float(rising[i] - falling[j])
        if not violation > tolerance:
            return Path(alpha, steps, True)
        eta = max(own[i] + own[j] - 2 * float(gram[i, j]), LEAST_CURVATURE)
        # Along the pair a_i grows by y_i t and a_j by -y_j t; the boxes bound t, which is positive.
        room_i = upper[i] - alpha[i] if signs[i] > 0 else alpha[i]
        room_j = alpha[j] if signs[j] > 0 else upper[j] - alpha[j]
        t = float(min(violation / eta, room_i, room_j))
        alpha[i] = _kept(alpha[i] + signs[i] * t, upper[i], t == room_i)
        alpha[j] = _kept(alpha[j] - signs[j] * t, upper[j], t == room_j)
        moved = t * (gram[i] - gram[j])
        for scores in (wanted, rising, falling):
            scores -= moved
        for row in (i, j):
            grows, falls = (alpha[row] < upper[row], alpha[row] > 0)[:: 1 if signs[row] > 0 else -1]
            rising[row] = wanted[row] if grows else -np.inf
            falling[row] = wanted[row] if falls else np.inf
        dual += t * violation - t * t * eta / 2
        steps.append(Step(i, j, eta, dual, violation))
    return Path(alpha, steps, False)


def _kept(value: float, upper: float, at_bound: bool) -> float:
    """At its bound exactly, whatever rounding says."""
    if not at_bound:
        return float(np.clip(value, 0.0, upper))
    return 0.0 if value < upper / 2 else float(upper)
