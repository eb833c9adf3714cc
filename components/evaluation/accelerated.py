"""The ends of a bootstrap interval, adjusted where plain percentiles of the resamples hold the truth too seldom.

Bias-corrected and accelerated (Efron, 1987): for scores that are skewed or biased. Stretched by Student's t: for few
rows or groups, of which resamples vary too little, and for long tails, where a few rows make the score.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Array = np.ndarray[Any, Any]
Floats = NDArray[np.float64]

MAX_LOTS = 200
"""Leaving out one unit after the other takes as many scores as there are units; lots of them tell the skewness too."""


def leaving_out(unit_of_row: Array, n_units: int, seed: int, at_once: int) -> Iterator[Array]:
    """Blocks of weights: one for every row but those of one unit (or of one lot of units, chosen at random)."""
    lots = min(n_units, MAX_LOTS)
    lot_of_unit = np.arange(n_units) if lots == n_units else np.random.default_rng(seed).permutation(n_units) % lots
    lot_of_row = lot_of_unit[unit_of_row]
    for start in range(0, lots, at_once):
        out = np.arange(start, min(start + at_once, lots))
        yield (lot_of_row != out[:, None]).astype(np.uint8)


def adjusted_ends(value: float, scores: Floats, left_out: Floats, units: int, confidence: float) -> tuple[float, float]:
    """`scores` of resamples; `left_out`: the scores without each unit or lot."""
    below = np.mean(scores < value) + np.mean(scores == value) / 2
    half = 1 / (2 * len(scores))
    bias = stats.norm.ppf(np.clip(below, half, 1 - half))
    acceleration, freedom = _shape(left_out, units)
    reach = stats.t.ppf((1 + confidence) / 2, freedom) * np.sqrt(units / (units - 1))
    turned = bias + np.array([-reach, reach])
    room = 1 - acceleration * turned  # none is left where one unit does almost all: then the end is the outermost score
    levels = np.where(room > 0, stats.norm.cdf(bias + turned / np.where(room > 0, room, 1.0)), turned > 0)
    low, high = np.quantile(scores, levels)
    return float(low), float(high)


def _shape(left_out: Floats, units: int) -> tuple[float, float]:
    """From what single units do to the score: how its spread grows with it, and the degrees of freedom of its spread.

    The former comes from the skewness. The latter are fewer than the units where a few of them do most: the variance of
    a variance grows with the kurtosis, and a scaled chi-squared has the same mean and variance (Satterthwaite).
    """
    gaps = left_out.mean() - left_out if len(left_out) else np.zeros(1)
    second, third, fourth = (float((gaps**power).mean()) for power in (2, 3, 4))
    if second**2 == 0:
        return 0.0, units - 1
    acceleration = third / (6 * second**1.5 * np.sqrt(len(gaps)))
    tails = fourth / second**2 - 1
    return acceleration, max(1.0, min(units - 1, 2 * len(gaps) / tails)) if tails > 0 else units - 1
