"""Whether promised probabilities come true.

Of two classes the probability of the positive one is looked at; of more, that of the likeliest class, against whether
it was right. The bins hold equally many rows each, ten of them or as many as have twenty rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm

from penstock.components.evaluation.intervals import WEIGHTS_AT_ONCE, Interval, resampled

Array = np.ndarray[Any, Any]
Floats = NDArray[np.float64]

MAX_BINS = 10
MIN_IN_A_BIN = 20
RULE = "bins of equally many rows"


def calibration(
    y: Array,
    prediction: Array,
    *,
    groups: Array | None = None,
    weight: Array | None = None,
    seed: int,
    resamples: int = 500,
    confidence: float = 0.95,
) -> dict[str, Any]:
    """The expected calibration error with its interval, the bins, and the parts of the Brier score over them.

    Chance alone makes an error: `by_chance` is the most that a perfectly calibrated model would show in 95 of 100 cases
    on rows with these promises; rows of a group may come true together, which makes for larger errors. Where the error
    is not above that, the interval goes down to zero; else it is two standard errors of the bootstrap wide to either
    side, and reaches further down by the bias that resampling shows.
    """
    promised, happened = promises(y, prediction)
    weights = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=np.float64)
    bins = bins_of(promised)
    rows, predicted, seen = (_sums(bins, weights[None, :] * values)[0] for values in (1.0, promised, happened))
    error = float(_error(bins, promised - happened, weights[None, :])[0])
    drawn = np.concatenate(
        [_error(bins, promised - happened, counts * weights) for counts in resampled(len(y), groups, seed, resamples)]
    )
    half_width = float(norm.ppf((1 + confidence) / 2) * np.nanstd(drawn))
    bias = max(0.0, float(np.nanmean(drawn)) - error)
    by_chance = float(np.quantile(_if_all_came_true(bins, promised, weights, seed, resamples), confidence))
    if groups is not None:
        turned = _if_groups_turned(bins, promised - happened, weights, groups, seed, resamples)
        by_chance = max(by_chance, float(np.quantile(turned, confidence)))
    interval = Interval(
        value=error,
        low=max(0.0, error - bias - half_width) if error > by_chance else 0.0,
        high=error + half_width,
        confidence=confidence,
    )
    filled = rows > 0
    return {
        "error": interval.model_dump(),
        "by_chance": by_chance,
        "rule": f"{len(rows)} {RULE}" if len(rows) > 1 else "one bin of all rows",
        "of": "positive class" if prediction.shape[1] == 2 else "likeliest class",
        "bins": {
            "rows": np.bincount(bins)[filled].tolist(),
            "promised": (predicted[filled] / rows[filled]).tolist(),
            "happened": (seen[filled] / rows[filled]).tolist(),
        },
        "brier": brier_parts(rows[filled], predicted[filled], seen[filled], promised, happened, weights),
    }


def promises(y: Array, prediction: Array) -> tuple[Floats, Floats]:
    """The probability that was promised in each row, and whether (1 or 0) it came true."""
    if prediction.shape[1] == 2:
        return prediction[:, 1], (y == 1).astype(np.float64)
    return prediction.max(axis=1), (prediction.argmax(axis=1) == y).astype(np.float64)


def bins_of(promised: Floats) -> NDArray[np.int64]:
    """The bin of each row; rows of one probability stay together."""
    wanted = int(np.clip(len(promised) // MIN_IN_A_BIN, 1, MAX_BINS))
    edges = np.unique(np.quantile(promised, np.linspace(0, 1, wanted + 1)[1:-1])) if wanted > 1 else np.empty(0)
    _, bins = np.unique(np.searchsorted(edges, promised, side="left"), return_inverse=True)
    return np.asarray(bins, dtype=np.int64)


def brier_parts(
    rows: Floats, predicted: Floats, seen: Floats, promised: Floats, happened: Floats, weights: Floats
) -> dict[str, float]:
    """Murphy's parts: score = reliability - resolution + uncertainty, but for what differs inside the bins."""
    share, mean, base = rows / rows.sum(), seen / rows, seen.sum() / rows.sum()
    return {
        "score": float(np.average((promised - happened) ** 2, weights=weights)),
        "reliability": float((share * (predicted / rows - mean) ** 2).sum()),
        "resolution": float((share * (mean - base) ** 2).sum()),
        "uncertainty": float(base * (1 - base)),
    }


def _if_all_came_true(bins: NDArray[np.int64], promised: Floats, weights: Floats, seed: int, resamples: int) -> Floats:
    """Errors of outcomes that are drawn as promised."""
    rng = np.random.default_rng(seed)
    at_once = max(1, WEIGHTS_AT_ONCE // len(promised))
    sizes = [min(at_once, resamples - start) for start in range(0, resamples, at_once)]
    return np.concatenate(
        [_error(bins, promised - (rng.random((size, len(promised))) < promised), weights[None, :]) for size in sizes]
    )


def _if_groups_turned(
    bins: NDArray[np.int64], gaps: Floats, weights: Floats, groups: Array, seed: int, resamples: int
) -> Floats:
    """Errors of outcomes whose gaps, those of each group together, are turned around or not (wild cluster bootstrap).

    For a calibrated model one is as likely as the other.
    """
    codes, distinct = pd.factorize(groups, use_na_sentinel=False)
    of_groups = np.zeros((len(distinct), bins.max() + 1))
    np.add.at(of_groups, (codes, bins), weights * gaps)
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], size=(resamples, len(distinct)))
    errors: Floats = np.abs(np.einsum("rg,gb->rb", signs, of_groups)).sum(axis=1) / weights.sum()
    return errors


def _error(bins: NDArray[np.int64], gaps: Floats, weights: Floats) -> Floats:
    """Mean over rows of their bin's gap between promise and outcome, for each row of weights."""
    error: Floats = np.abs(_sums(bins, weights * gaps)).sum(axis=1) / weights.sum(axis=1)
    return error


def _sums(bins: NDArray[np.int64], values: Floats) -> Floats:
    order = np.argsort(bins, kind="stable")
    starts = np.searchsorted(bins[order], np.arange(bins.max() + 1))
    sums: Floats = np.add.reduceat(values.take(order, axis=1), starts, axis=1)
    return sums
