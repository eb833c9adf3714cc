"""Sequential minimal optimisation: two multipliers at a time, each step in closed form, every step remembered.

The pair is the one that breaks the conditions of the optimum most (the notes name no rule). For it, with
eta = K_ii + K_jj - 2 K_ij and errors E, a_j moves by y_j (E_i - E_j) / eta, is clipped so that both stay in their box,
and a_i pays for it, so that sum a y stays what it was. Written in g = a y the pair moves by t and -t, whatever its
signs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]

MIN_CURVATURE = 1e-12


class Step(NamedTuple):
    """The pair, the curvature along it, the dual objective after the step, and how far the pair was from optimal."""

    first: int
    second: int
    eta: float
    dual: float
    violation: float


class Path(NamedTuple):
    """The steps are plain tuples of what a Step names: there are many, and they are saved with the model."""

    alpha: Array
    steps: list[tuple[int, int, float, float, float]]
    converged: bool


def smo(gram: Array, signs: Array, upper: Array, tolerance: float = 1e-3, most_steps: int = 100_000) -> Path:
    """From zero until every row meets its condition within the tolerance, or the steps are used up.

    Arrays serve what concerns all rows, lists and their plain numbers what concerns one: a step costs a few passes.
    """
    low, high = np.minimum(0.0, signs * upper).tolist(), np.maximum(0.0, signs * upper).tolist()
    weights = [0.0] * len(low)  # g = a y of every row
    # y - sum_j g_j K_ij, without a bias, which cancels in every difference: of rows whose g may grow, and of those
    # whose may fall. The others can never be chosen.
    both = np.array([np.where(signs * upper > 0, signs, -np.inf), np.where(signs * upper < 0, signs, np.inf)])
    rising, falling = both
    rows, own = list(gram), gram.diagonal().tolist()
    moved = np.empty(len(low))
    dual = 0.0
    steps: list[tuple[int, int, float, float, float]] = []
    for _ in range(most_steps):
        i, j = int(rising.argmax()), int(falling.argmin())
        violation = rising.item(i) - falling.item(j)
        if not violation > tolerance:
            return Path(np.abs(weights), steps, True)
        eta = max(own[i] + own[j] - 2 * rows[i].item(j), MIN_CURVATURE)
        room_i, room_j = high[i] - weights[i], weights[j] - low[j]
        t = min(violation / eta, room_i, room_j)
        # At its bound exactly, whatever rounding says.
        weights[i] = high[i] if t == room_i else min(weights[i] + t, high[i])
        weights[j] = low[j] if t == room_j else max(weights[j] - t, low[j])
        np.subtract(rows[i], rows[j], out=moved)
        np.multiply(moved, t, out=moved)
        np.subtract(both, moved, out=both)
        for row, wanted in ((i, rising.item(i)), (j, falling.item(j))):
            rising[row] = wanted if weights[row] < high[row] else -np.inf
            falling[row] = wanted if weights[row] > low[row] else np.inf
        dual += t * violation - t * t * eta / 2
        steps.append((i, j, eta, dual, violation))
    return Path(np.abs(weights), steps, False)
