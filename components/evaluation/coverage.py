"""How often sets and intervals hold the truth, and how large they are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from penstock.components.evaluation.intervals import Interval, percentiles, resampled
from penstock.components.evaluation.unseen import effective_units, unseen_share

Array = np.ndarray[Any, Any]


def coverage(
    covered: NDArray[np.bool_],
    sizes: Array,
    *,
    groups: Array | None = None,
    weight: Array | None = None,
    seed: int,
    confidence: float = 0.95,
) -> dict[str, Any]:
    """The share of rows that are covered, with its interval, and the mean size.

    The interval is the exact one of Clopper and Pearson; where rows come in groups or are weighted, a bootstrap. That
    one has no width where all rows are covered, or none: there it is the exact one of as many rows as they are worth.
    """
    value = float(np.average(covered, weights=weight))
    if groups is None and weight is None:
        ends = binomtest(int(covered.sum()), len(covered)).proportion_ci(confidence, method="exact")
        interval = Interval(value=value, low=float(ends.low), high=float(ends.high), confidence=confidence)
    else:
        weights = np.ones(len(covered)) if weight is None else weight
        drawn = [counts * weights for counts in resampled(len(covered), groups, seed, 1000)]
        shares = [np.einsum("rn,n->r", counts, covered) / counts.sum(axis=1) for counts in drawn]

        def unseen(confidence: float) -> tuple[float, float]:
            share = unseen_share(effective_units(len(covered), groups, weight), confidence)
            return (1 - share, 1.0) if value > 0.5 else (0.0, share)

        interval = percentiles(value, np.concatenate(shares), confidence, unseen)
    return {"share": interval.model_dump(), "size": float(np.average(sizes, weights=weight)), "rows": len(covered)}
