"""The conditions of Karush, Kuhn and Tucker: what holds at the optimum of a support vector machine, row by row.

A row with a = 0 lies on its side of the margin or on its edge (y f >= 1), one with a = C on the edge, in the margin or
on the wrong side (y f <= 1), one in between on the edge (y f = 1). So the bias is y - w.x of the rows in between, and
of no others: the mean over all rows, as some notes print it, is wrong.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.linalg.lapack import dpstrf
from scipy.optimize import linprog

Array = np.ndarray[Any, Any]

ROUNDED = 1e-12  # of an upper bound
MAX_DIRECTIONS = 200  # a linear programme in more takes longer than the machine itself


@dataclass(frozen=True)
class Audit:
    """`worst`: how far the worst row is from its condition; `slackness` the largest of a (y f - 1 + xi), (C - a) xi.

    `balance` is |sum a y|, `box` how far a multiplier is outside its bounds, `gap` primal minus dual.
    """

    outside: int
    on_edge: int
    inside: int
    worst: float
    balance: float
    box: float
    slackness: float
    primal: float
    dual: float
    gap: float

    def holds(self, tolerance: float = 1e-6, biased: bool = True) -> bool:
        size = max(1.0, abs(self.primal))
        return max(self.worst, self.balance if biased else 0.0, self.box, self.gap / size) <= tolerance

    def as_facts(self) -> dict[str, Any]:
        return asdict(self)


def audit(alpha: Array, signs: Array, scores: Array, bias: float, upper: Array) -> Audit:
    """Of one boundary between two sides: multipliers, +1 or -1, f(x) of every row, and the upper bound of each."""
    margins = signs * scores
    slack = np.maximum(0.0, 1 - margins)
    free, at_upper = cases(alpha, upper)
    worst = np.where(free, np.abs(margins - 1), np.where(at_upper, np.maximum(0, margins - 1), slack))
    squared = float((alpha * signs) @ (scores - bias))
    soft = np.isfinite(upper)
    costs = float(upper[soft] @ slack[soft])
    primal, dual = squared / 2 + costs, float(alpha.sum()) - squared / 2
    slackness = np.abs(alpha * (margins - 1 + slack)).max()
    if soft.any():
        slackness = max(slackness, np.abs((upper[soft] - alpha[soft]) * slack[soft]).max())
    return Audit(
        outside=int((~free & ~at_upper).sum()),
        on_edge=int(free.sum()),
        inside=int(at_upper.sum()),
        worst=float(worst.max()),
        balance=abs(float(alpha @ signs)),
        box=float(max(0.0, -alpha.min(), (alpha - upper).max())),
        slackness=float(slackness),
        primal=primal,
        dual=dual,
        gap=primal - dual,
    )


def cases(alpha: Array, upper: Array) -> tuple[Array, Array]:
    """Which multipliers are between their bounds, and which at the upper one; the others are zero.

    Solvers end at a bound but for rounding. Where a kernel is large, multipliers far smaller than others count.
    """
    positive = alpha > 0
    at_upper = positive & (alpha >= upper * (1 - ROUNDED))
    return positive & ~at_upper, at_upper


def bias_of(alpha: Array, signs: Array, scores: Array, upper: Array) -> float:
    """From the rows between their bounds; without any, the middle of what the others allow. `scores` have no bias."""
    free, at_upper = cases(alpha, upper)
    wanted = signs - scores
    if free.any():
        return float(np.average(wanted[free], weights=_room(alpha[free], upper[free])))
    least = at_upper != (signs > 0)  # these rows ask for a bias of at least what they want
    low, high = np.max(wanted[least], initial=-np.inf), np.min(wanted[~least], initial=np.inf)
    if not np.isfinite(low) or not np.isfinite(high):
        return float(low if np.isfinite(low) else high)
    return float((low + high) / 2)


def _room(alpha: Array, upper: Array) -> Array:
    """How far from both bounds: rows nearly at one, as an interior point leaves them, need not be on the edge."""
    return np.asarray(np.minimum(alpha, upper - alpha))


def geometric_margins(scores: Array, signs: Array, length: float) -> Array:
    """y f(x) / |w| of every row: how far it lies on its own side, in the units of the columns.

    Multiplying w and b by a number changes f and |w| alike, and so no margin. Edges where f is 1 or -1 are 1 / |w| from
    the border, and the margin between them is 2 / |w| wide; books that say "at distance 1" mean f.
    """
    margins: Array = signs * scores / length
    return margins


def separable(columns: Array, signs: Array, biased: bool = True) -> bool:
    """Whether weights (and a bias) exist with y f >= 1 in every row, which is a linear programme."""
    size = np.abs(columns).max(axis=0)
    table = columns / np.where(size > 0, size, 1.0)
    if biased:
        table = np.column_stack([table, np.ones(len(table))])
    nothing, wanted = np.zeros(table.shape[1]), -np.ones(len(table))
    answer = linprog(nothing, -signs[:, None] * table, wanted, bounds=(None, None), method="highs-ipm")
    return bool(answer.status == 0)


def separable_by_kernel(gram: Array, signs: Array, biased: bool = True) -> bool | None:
    """The same in the space of a kernel; None where that is as hard to say as to find the boundary.

    Rows that do not follow from each other can be on any sides. A bias is one more direction, of all rows alike.
    """
    whole = gram + gram.diagonal().max() if biased else gram
    factor, order, rank, _ = dpstrf(whole, lower=1)
    if rank == len(signs):
        return True
    if rank > MAX_DIRECTIONS:
        return None
    columns = np.empty((len(signs), rank))
    columns[order - 1] = np.tril(factor)[:, :rank]
    return separable(columns, signs, biased=False)
