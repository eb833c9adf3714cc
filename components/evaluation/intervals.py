"""How sure a score is: bootstrap, all resamples at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from penstock.components.evaluation.accelerated import adjusted_ends, leaving_out
from penstock.components.evaluation.metrics import Metric
from penstock.components.evaluation.resampled import Scorer
from penstock.components.evaluation.scorers import scorer_of
from penstock.components.evaluation.unseen import unseen_ends
from penstock.errors import DataError

Array = np.ndarray[Any, Any]
Floats = NDArray[np.float64]
Ends = Callable[[float], tuple[float, float]]
"""By confidence, the ends of an interval where every resample scores the same."""

WEIGHTS_AT_ONCE = 500_000  # keeps a block of weights in the processor's cache


class Interval(BaseModel):
    model_config = ConfigDict(frozen=True)

    value: float
    low: float
    high: float
    confidence: float


def bootstrap_interval(
    metric: Metric,
    y: Array,
    prediction: Array,
    *,
    groups: Array | None = None,
    weight: Array | None = None,
    seed: int,
    resamples: int = 1000,
    confidence: float = 0.95,
) -> Interval:
    """The score and its interval. With groups, whole groups are drawn: their rows are not independent."""
    value = require_score(metric, y, prediction, weight)
    scorer = scorer_of(metric, y, prediction, weight)
    unseen = partial(unseen_ends, metric, y, prediction, groups=groups, weight=weight)
    return _interval(metric, scorer, value, unseen, len(y), groups, seed, resamples, confidence)


def paired_interval(
    metric: Metric,
    y: Array,
    challenger: Array,
    champion: Array,
    *,
    groups: Array | None = None,
    weight: Array | None = None,
    seed: int,
    resamples: int = 1000,
    confidence: float = 0.95,
) -> Interval:
    """The challenger's score less the champion's, both on the same resamples: what they share cancels out."""
    scores = [require_score(metric, y, one, weight) for one in (challenger, champion)]
    ours, theirs = scorer_of(metric, y, challenger, weight), scorer_of(metric, y, champion, weight)

    def difference(weights: Array) -> Floats:
        return ours(weights) - theirs(weights)

    def unseen(confidence: float) -> tuple[float, float]:
        if np.array_equal(challenger, champion):
            return 0.0, 0.0
        up, down = (
            unseen_ends(metric, y, one, confidence, groups=groups, weight=weight) for one in (challenger, champion)
        )
        return min(up[0] - scores[1], scores[0] - down[1]), max(up[1] - scores[1], scores[0] - down[0])

    return _interval(metric, difference, scores[0] - scores[1], unseen, len(y), groups, seed, resamples, confidence)


def mean_interval(values: Array, *, seed: int, resamples: int = 1000, confidence: float = 0.95) -> Interval:
    """Of a mean over rows."""
    drawn = resampled(len(values), None, seed, resamples)
    means = np.concatenate([np.einsum("rn,n->r", weights, values, dtype=np.float64) / len(values) for weights in drawn])
    return percentiles(float(np.mean(values)), means, confidence)


def _interval(
    metric: Metric,
    score: Scorer,
    value: float,
    unseen: Ends,
    n_rows: int,
    groups: Array | None,
    seed: int,
    resamples: int,
    confidence: float,
) -> Interval:
    scores = require_defined(metric, [score(weights) for weights in resampled(n_rows, groups, seed, resamples)])
    if _agree(scores):
        low, high = unseen(confidence)
        return Interval(value=value, low=low, high=high, confidence=confidence)
    unit_of_row, n_units = _units(n_rows, groups)
    at_once = max(1, WEIGHTS_AT_ONCE // n_rows)
    without = np.concatenate([score(weights) for weights in leaving_out(unit_of_row, n_units, seed, at_once)])
    low, high = adjusted_ends(value, scores, without[~np.isnan(without)], n_units, confidence)
    return Interval(value=value, low=low, high=high, confidence=confidence)


def _units(n_rows: int, groups: Array | None) -> tuple[Array, int]:
    """What is drawn: the number of each row's group, or of the row itself; and how many there are."""
    if groups is None:
        return np.arange(n_rows), n_rows
    codes, distinct = pd.factorize(groups, use_na_sentinel=False)
    return codes, len(distinct)


def resampled(n_rows: int, groups: Array | None, seed: int, resamples: int) -> Iterator[Array]:
    """Blocks of weights, (resamples of the block, rows): how often each was drawn, in as few bits as hold it.

    Groups are drawn whole.
    """
    unit_of_row, n_units = _units(n_rows, groups)
    if n_units < 2:
        raise DataError(
            "PEN129",
            f"{n_rows} row(s)" + ("" if groups is None else f" of {n_units} group(s)") + " tell nothing of chance",
            where="evaluation",
            remedy="evaluate on at least two "
            + ("rows" if groups is None else "groups")
            + ": take a larger part for it",
        )
    rng = np.random.default_rng(seed)
    at_once = max(1, WEIGHTS_AT_ONCE // n_rows)
    for start in range(0, resamples, at_once):
        size = min(at_once, resamples - start)
        drawn = rng.integers(n_units, size=(size, n_units)) + n_units * np.arange(size)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=size * n_units).reshape(size, n_units)
        counts = counts.astype(np.min_scalar_type(counts.max()))
        yield counts if groups is None else counts.take(unit_of_row, axis=1)


def require_score(metric: Metric, y: Array, prediction: Array, weight: Array | None = None) -> float:
    defined = len(y) and (weight is None or weight.any())
    value = metric.function(y, prediction, weight) if defined else float("nan")
    if np.isnan(value):
        raise _undefined(metric)
    return value


def require_defined(metric: Metric, blocks: list[Floats]) -> Floats:
    """The scores of all blocks, without the resamples that do not define the metric, such as those of one class."""
    scores = np.concatenate(blocks)
    defined = scores[~np.isnan(scores)]
    if not len(defined):
        raise _undefined(metric)
    return defined


def percentiles(value: float, scores: Floats, confidence: float, unseen: Ends | None = None) -> Interval:
    """`unseen`: the ends where all scores agree, as those of a perfect model do; without it they are that score."""
    if unseen is not None and _agree(scores):
        low, high = unseen(confidence)
        return Interval(value=value, low=min(value, low), high=max(value, high), confidence=confidence)
    low, high = np.quantile(scores, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(value=value, low=float(low), high=float(high), confidence=confidence)


def _agree(scores: Floats) -> bool:
    return bool(np.ptp(scores) <= 1e-12 * max(1.0, float(np.abs(scores).max())))


def _undefined(metric: Metric) -> DataError:
    return DataError(
        "PEN129",
        f"the {metric.label} is not defined on these rows: they are too few or too much alike",
        where=f"metric '{metric.name}'",
        remedy="evaluate on more rows, of more than one class or value, or choose another metric",
    )
