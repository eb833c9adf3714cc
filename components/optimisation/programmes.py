"""Linear and quadratic programmes, with what must hold at their answers, and their duals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, cholesky, solve_triangular
from scipy.optimize import linprog, nnls

from penstock.components.optimisation.trace import Array

HOLDS = 1e-6


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
        Of a linear programme it is minus infinity unless the multipliers balance the cost.
        """
        pull = self.c + self.A.T @ inequality + self.E.T @ equality
        offset = -float(self.b @ inequality + self.d @ equality)
        if self.Q is None:
            return offset if np.abs(pull).max() <= HOLDS * max(1.0, np.abs(self.c).max()) else -np.inf
        return offset - float(pull @ cho_solve(cho_factor(self.Q), pull)) / 2


@dataclass(frozen=True)
class Answer:
    """`inequality` and `equality` are Lagrange's multipliers; `why` says why there is no answer."""

    x: Array | None
    inequality: Array
    equality: Array
    why: str = ""


def solve(programme: Programme) -> Answer:
    """By the simplex method (HiGHS); with a Q, as a least distance by non-negative least squares. Both are exact."""
    if programme.Q is None:
        return _linear(programme)
    return _quadratic(programme, programme.Q)


def _linear(programme: Programme) -> Answer:
    found = linprog(
        programme.c,
        A_ub=programme.A if len(programme.A) else None,
        b_ub=programme.b if len(programme.A) else None,
        A_eq=programme.E if len(programme.E) else None,
        b_eq=programme.d if len(programme.E) else None,
        bounds=(None, None),
        method="highs-ds",
    )
    none = np.zeros(0)
    if found.status != 0:
        why = "the cost falls without end" if found.status == 3 else "no point meets all constraints"
        return Answer(None, none, none, why)
    # HiGHS gives what the value gains by a larger bound; a multiplier is the price, with the other sign.
    return Answer(
        found.x,
        -found.ineqlin.marginals if len(programme.A) else none,
        -found.eqlin.marginals if len(programme.E) else none,
    )


def _quadratic(programme: Programme, Q: Array) -> Answer:
    """With Q = LL' and z = L'x + L^-1 c the value is half the squared length of z, up to a constant.

    The shortest z with Gz >= h follows from non-negative least squares (Lawson and Hanson); an equality is two
    inequalities, whose multipliers are subtracted.
    """
    none = np.zeros(0)
    try:
        lower = cholesky(Q, lower=True)
    except LinAlgError:
        return Answer(None, none, none, "the curvature is not positive definite")
    turned = np.vstack([programme.A, programme.E, -programme.E])
    G = -solve_triangular(lower, turned.T, lower=True).T
    moved = solve_triangular(lower, programme.c, lower=True)
    h = -np.concatenate([programme.b, programme.d, -programme.d]) + G @ moved
    if not len(G):
        z, prices = np.zeros(len(programme.c)), none
    else:
        scale = max(1.0, float(np.abs(h).max()))
        stacked = np.vstack([G.T, h / scale])
        target = np.append(np.zeros(len(programme.c)), 1.0)
        weights, left = nnls(stacked, target)
        residual = stacked @ weights - target
        if left <= 1e-9:
            return Answer(None, none, none, "no point meets all constraints")
        z = -scale * residual[:-1] / residual[-1]
        prices = -scale * weights / residual[-1]
    x = solve_triangular(lower.T, z - moved)
    unequal, equal = len(programme.A), len(programme.E)
    equality = prices[unequal : unequal + equal] - prices[unequal + equal :]
    return Answer(x, prices[:unequal], equality)


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
