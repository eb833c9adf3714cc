"""What hyperplanes can part: one labelling of some points, or all of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog, nnls

from penstock.components.analysis.hyperplane import separating

Array = np.ndarray[Any, Any]
Floats = NDArray[np.float64]

MAX_STEPS = 100


def least_slack(X: Floats, positive: Array, *, intercept: bool = True) -> tuple[Floats, float]:
    """The w and b with the least sum of what rows fall short of y (w.x + b) >= 1; of columns as they are.

    Without an intercept, b is 0.
    """
    signs = np.where(positive, 1.0, -1.0)
    rows, columns = X.shape
    inside = np.column_stack([-signs[:, None] * np.column_stack([X, np.ones(rows)]), -np.eye(rows)])
    cost = np.concatenate([np.zeros(columns + 1), np.ones(rows)])
    free = (None, None)
    bounds = [free] * columns + [free if intercept else (0, 0)] + [(0, None)] * rows
    answer = linprog(cost, A_ub=inside, b_ub=-np.ones(rows), bounds=bounds, method="highs")
    return answer.x[:columns], float(answer.x[columns])


def labellings(X: Floats) -> list[int]:
    """How many labellings of the first point, of the first two, ... hyperplanes realise: the growth function here.

    A labelling of more points can be realised only if its part for fewer can, so only those are tried further.
    """
    counts, realised = [], [np.zeros(0, dtype=bool)]
    for size in range(1, len(X) + 1):
        tried = [np.append(labels, sign) for labels in realised for sign in ((True,) if size == 1 else (True, False))]
        realised = [labels for labels in tried if separating(X[:size], labels) is not None]
        counts.append(2 * len(realised))  # turned around, each is another one
    return counts


def labellings_in_general_position(points: int, dimension: int) -> int:
    """Cover's count: 2 times the sum over k up to the dimension of (points - 1 over k)."""
    return 2 * sum(math.comb(points - 1, size) for size in range(dimension + 1))


def widest_margin(X: Floats, signs: Floats, parting: Floats) -> Floats:
    """The shortest w with y w.x >= 1 in every row: the hard margin through the origin, 1 / |w| wide.

    `parting` is any w with y w.x > 0 in every row, and gives the unit. Least distance programming by non-negative least
    squares (Lawson and Hanson, 1974) tells which rows the margin rests on; these are then solved for.
    """
    rows = signs[:, None] * X
    margin = float((rows @ parting).min() / np.linalg.norm(parting))
    system = np.vstack([rows.T / margin, np.ones(len(rows))])
    pulls, _ = nnls(system, np.append(np.zeros(X.shape[1]), 1.0), maxiter=MAX_STEPS * len(rows))
    resting = rows[pulls > 0]
    solved = np.linalg.lstsq(resting, np.ones(len(resting)), rcond=None)[0]
    found = [w / least for w in (solved, parting) if (least := float((rows @ w).min())) > 0]
    return min(found, key=lambda w: float(np.linalg.norm(w)))
