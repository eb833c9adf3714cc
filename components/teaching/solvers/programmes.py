"""Linear and quadratic programmes, with what must hold at their predictions, and their duals."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import linprog, nnls

from penstock.components.optimisation.trace import Array

HOLDS = 1e-6
FLAT = 1e-9  # shares of the largest eigenvalue that count as none
NEARBY, NEAREST = 1e-4, 1e-12
MAX_STEPS = 500
EMPTY, ENDLESS = "has no answer: no point meets all constraints", "has no answer: its cost falls without end"


@dataclass(frozen=True)
class Programme:
    """Minimise 1/2 x'Qx + c'x where Ax <= b and Ex = d. Without a Q it is linear.

    x may be of any sign: that it is not negative is a constraint like others.
    """

    c: Array
    A: Array
    b: Array
    E: Array
    d: Array
    Q: Array | None = None

    def value(self, x: Array) -> float:
        return float(self.c @ x + (0.0 if self.Q is None else x @ self.Q @ x / 2))

    def slope(self, x: Array) -> Array:
        steep: Array = self.c if self.Q is None else self.Q @ x + self.c
        return steep

    def dual(self, inequality: Array, equality: Array) -> float:
        """The least value of the Lagrangian over all x: concave, and never above the programme's own value.

        At the answer of a convex programme dual = least of the Lagrangian <= Lagrangian there <= value there; with that
        last step, which is left out at times, all are equal, and multipliers of slack constraints are zero.
        It is minus infinity unless the multipliers balance the cost along all directions without curvature, which of a
        linear programme are all there are.
        """
        pull = self.c + self.A.T @ inequality + self.E.T @ equality
        offset = -float(self.b @ inequality + self.d @ equality)
        bends, axes = np.linalg.eigh(np.zeros((len(pull), len(pull))) if self.Q is None else self.Q)
        along, curved = axes.T @ pull, bends > FLAT * bends.max()
        if np.abs(along[~curved]).max(initial=0.0) > HOLDS * max(1.0, np.abs(self.c).max()):
            return -np.inf
        return offset - float(np.sum(along[curved] ** 2 / bends[curved])) / 2


@dataclass(frozen=True)
class Solution:
    """`inequality` and `equality` are Lagrange's multipliers; `why` says of the programme why `x` is None."""

    x: Array | None
    inequality: Array
    equality: Array
    why: str = ""


def solve(programme: Programme) -> Solution:
    """By the simplex method (HiGHS); with a Q, as a least distance by non-negative least squares. Both are exact.

    Q may be flat along some directions, such as that of a bias, but must bend down along none.
    """
    if programme.Q is None or not programme.Q.any():
        return _linear(programme)
    bends, axes = np.linalg.eigh(programme.Q)
    if bends[0] < -FLAT * np.abs(bends).max():
        none = np.zeros(0)
        return Solution(None, none, none, f"is not convex: along some direction its curvature is {bends[0]:.4g}")
    if bends[0] > FLAT * bends[-1]:
        return _curved(programme, programme.Q)
    return _partly_flat(programme, programme.Q, axes[:, bends <= FLAT * bends[-1]], float(bends[-1]))


def _linear(programme: Programme) -> Solution:
    """In units in which cost and constraints are about 1: what is tiny HiGHS takes for nothing."""
    money, over, level = _largest(programme.c), _lengths(programme.A), _lengths(programme.E)
    found = linprog(
        programme.c / money,
        A_ub=programme.A / over[:, None] if len(programme.A) else None,
        b_ub=programme.b / over if len(programme.A) else None,
        A_eq=programme.E / level[:, None] if len(programme.E) else None,
        b_eq=programme.d / level if len(programme.E) else None,
        bounds=(None, None),
        method="highs-ds",
    )
    none = np.zeros(0)
    if found.status != 0:
        return Solution(None, none, none, ENDLESS if found.status == 3 else EMPTY)
    # HiGHS gives what the value gains by a larger bound; a multiplier is the price, with the other sign.
    return Solution(
        found.x,
        -found.ineqlin.marginals * money / over if len(programme.A) else none,
        -found.eqlin.marginals * money / level if len(programme.E) else none,
    )


def _largest(numbers: Array) -> float:
    return float(np.abs(numbers).max(initial=0.0)) or 1.0


def _lengths(rows: Array) -> Array:
    lengths = np.linalg.norm(rows, axis=1)
    return np.where(lengths > 0, lengths, 1.0)


def _partly_flat(programme: Programme, Q: Array, flat: Array, steepest: float) -> Solution:
    """By answers that stay near the one before, each of a Q that is curved everywhere (proximal points).

    They end at an answer if there is one. What is left of rounding is taken off by the equations that hold there. A
    cost so small that steps would hardly come to the constraints is held less.
    """
    reach = _largest(np.append(programme.b / _lengths(programme.A), programme.d / _lengths(programme.E)))
    pull = float(np.clip(_largest(programme.c) / reach, NEAREST * steepest, NEARBY * steepest))
    curved = Q + pull * np.eye(len(Q))
    x = np.zeros(len(Q))
    solution = _curved(programme, curved)
    if solution.x is not None and _falls(programme, flat):
        return Solution(None, solution.inequality[:0], solution.equality[:0], ENDLESS)
    for _ in range(MAX_STEPS):
        if solution.x is None or np.abs(solution.x - x).max() <= 1e-12 * max(1.0, np.abs(x).max()):
            break
        x = solution.x
        solution = _curved(replace(programme, c=programme.c - pull * x), curved)
    return solution if solution.x is None else _polished(programme, Q, solution, solution.x)


def _falls(programme: Programme, flat: Array) -> bool:
    """Whether the cost falls along a direction without curvature that no constraint ever ends."""
    cost = flat.T @ programme.c / _largest(programme.c)
    found = linprog(
        cost,
        A_ub=programme.A @ flat if len(programme.A) else None,
        b_ub=np.zeros(len(programme.A)) if len(programme.A) else None,
        A_eq=programme.E @ flat if len(programme.E) else None,
        b_eq=np.zeros(len(programme.E)) if len(programme.E) else None,
        bounds=(-1, 1),
    )
    return bool(found.status == 0 and found.fun < -FLAT)


def _polished(programme: Programme, Q: Array, solution: Solution, x: Array) -> Solution:
    """The answer after one step of Newton on the slope and on the constraints with a price, if that is nearer."""
    priced = solution.inequality > HOLDS * solution.inequality.max(initial=0.0)
    binding = np.vstack([programme.A[priced], programme.E])
    prices = np.append(solution.inequality[priced], solution.equality)
    over = binding @ x - np.append(programme.b[priced], programme.d)
    system = np.block([[Q, binding.T], [binding, np.zeros((len(binding), len(binding)))]])
    wrong = np.append(programme.slope(x) + binding.T @ prices, over)
    moved = -np.linalg.lstsq(system, wrong, rcond=None)[0]
    inequality = np.zeros(len(programme.A))
    prices = prices + moved[len(x) :]
    inequality[priced] = prices[: priced.sum()]
    nearer, equality = x + moved[: len(x)], prices[priced.sum() :]
    before = max(audit(programme, x, solution.inequality, solution.equality).values())
    after = max(audit(programme, nearer, inequality, equality).values())
    return Solution(nearer, inequality, equality) if after < before else solution


def _curved(programme: Programme, Q: Array) -> Solution:
    """With Q = LL' and z = L'x + L^-1 c the value is half the squared length of z, up to a constant.

    The shortest z with Gz >= h follows from non-negative least squares (Lawson and Hanson); an equality is two
    inequalities, whose multipliers are subtracted.
    """
    none = np.zeros(0)
    lower = cholesky(Q, lower=True)
    turned = np.vstack([programme.A, programme.E, -programme.E])
    G = -solve_triangular(lower, turned.T, lower=True).T
    moved = solve_triangular(lower, programme.c, lower=True)
    h = -np.concatenate([programme.b, programme.d, -programme.d]) + G @ moved
    if not len(G):
        z, prices = np.zeros(len(programme.c)), none
    else:
        # Of units of their own, rows would count more or less, and far answers as none.
        sizes = _lengths(G)
        G, h = G / sizes[:, None], h / sizes
        scale = _largest(h)
        stacked = np.vstack([G.T, h / scale])
        target = np.append(np.zeros(len(programme.c)), 1.0)
        weights, left = nnls(stacked, target)
        residual = stacked @ weights - target
        if left <= 1e-9:
            return Solution(None, none, none, EMPTY)
        z = -scale * residual[:-1] / residual[-1]
        prices = -scale * weights / residual[-1] / sizes
    x = solve_triangular(lower.T, z - moved)
    unequal, equal = len(programme.A), len(programme.E)
    equality = prices[unequal : unequal + equal] - prices[unequal + equal :]
    return Solution(x, prices[:unequal], equality)


def audit(programme: Programme, x: Array, inequality: Array, equality: Array) -> dict[str, float]:
    """How far the four conditions of Karush, Kuhn and Tucker (and the equalities) are from holding."""
    slack = programme.A @ x - programme.b

    def largest(values: Array) -> float:
        return float(np.max(values, initial=0.0))

    return {
        "stationarity": largest(np.abs(programme.slope(x) + programme.A.T @ inequality + programme.E.T @ equality)),
        "feasibility": max(largest(slack), largest(np.abs(programme.E @ x - programme.d))),
        "multipliers >= 0": largest(-inequality),
        "complementarity": largest(np.abs(inequality * slack)),
    }
