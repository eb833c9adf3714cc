"""Elbow and kink: where the spread inside the clusters stops falling fast."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from penstock.components.number_of_clusters.evidence import Evidence
from penstock.components.number_of_clusters.result import CriterionResult

CLEAR = 2.0
"""How much sharper a bend has to be than that of rows without groups."""


def elbow(evidence: Evidence) -> CriterionResult:
    """W_K, and the K where it lies furthest below the straight line between its ends.

    The curve of rows without groups bends too. Such rows, spread evenly along a line, give W ~ 1/K², the sharpest bend
    of its kind: one that is not twice as sharp is called ambiguous.
    """
    spread = evidence.spread
    inner = _inner(spread)
    if not inner:
        return CriterionResult(
            criterion="elbow", values=spread, k=None, reason="A bend needs three numbers of clusters in a row"
        )
    first, last = min(spread), max(spread)
    fallen = np.interp(inner, [first, last], [spread[first], spread[last]]) - [spread[k] for k in inner]
    k = inner[int(np.argmax(fallen))]
    sharp = sharpness(spread, k)
    if sharp < CLEAR:
        return CriterionResult(criterion="elbow", values=spread, k=None, reason=_unclear("bend", k, sharp))
    drop = f"the step to {k} takes off {spread[k - 1] - spread[k]:.4g}, the next only {spread[k] - spread[k + 1]:.4g}"
    return CriterionResult(criterion="elbow", values=spread, k=k, reason=f"The spread inside bends at {k}: {drop}")


def kink(evidence: Evidence) -> CriterionResult:
    """The increments W_{K+1} - W_K, and the K before which they change most.

    The value of K is what the step from K to K + 1 changes, which is never above zero.
    """
    spread = evidence.spread
    values = {k: spread[following] - spread[k] for k, following in pairwise(sorted(spread)) if following == k + 1}
    inner = _inner(spread)
    if not inner:
        return CriterionResult(
            criterion="kink", values=values, k=None, reason="A kink needs three numbers of clusters in a row"
        )
    k = max(inner, key=lambda k: (values[k] - values[k - 1], -k))
    sharp = sharpness(spread, k)
    if sharp < CLEAR:
        return CriterionResult(criterion="kink", values=values, k=None, reason=_unclear("kink", k, sharp))
    reason = f"From {k} on another cluster changes the spread by {values[k]:.4g}; the one before by {values[k - 1]:.4g}"
    return CriterionResult(criterion="kink", values=values, k=k, reason=reason)


def sharpness(spread: dict[int, float], k: int) -> float:
    """How many times faster the curve falls before K than after, over the same for W = 1/K²."""
    before, after = spread[k - 1] - spread[k], spread[k] - spread[k + 1]
    even = (1 / (k - 1) ** 2 - 1 / k**2) / (1 / k**2 - 1 / (k + 1) ** 2)
    if after <= 0:
        return np.inf if before > 0 else 0.0
    return before / after / even


def _inner(spread: dict[int, float]) -> list[int]:
    return [k for k in spread if k - 1 in spread and k + 1 in spread]


def _unclear(what: str, k: int, sharp: float) -> str:
    return (
        f"Ambiguous: the sharpest {what} is at {k}, {sharp:.2g} times as sharp as rows without groups can give; "
        f"{CLEAR:g} would be clear"
    )
