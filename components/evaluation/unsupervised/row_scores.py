"""Scores that are a ratio of sums over rows, with their intervals and the correction for having been picked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from penstock.components.evaluation.intervals import Interval, percentiles, resampled
from penstock.components.evaluation.selection import CorrectedScore

Array = np.ndarray[Any, Any]

RESAMPLES = 1000


@dataclass(frozen=True)
class RowScores:
    """What each row adds to the score and to what that is measured by: it is the sum of `gain` over that of `base`.

    A mean has ones as base; a share of the variance that is explained has the row's own variance.
    """

    gain: Array
    base: Array

    @property
    def value(self) -> float:
        return float(self.of(np.ones((1, len(self.gain))))[0])

    def of(self, weights: Array) -> Array:
        """The score under each row of weights."""
        base = weights @ self.base
        gain = weights @ self.gain
        found: Array = np.divide(gain, base, out=np.zeros(len(base)), where=base > 0)
        return found

    def interval(self, *, seed: int, groups: Array | None = None, confidence: float = 0.95) -> Interval:
        drawn = np.concatenate([self.of(weights) for weights in resampled(len(self.gain), groups, seed, RESAMPLES)])
        return percentiles(self.value, drawn, confidence)


def joined(scores: Sequence[RowScores]) -> RowScores:
    """The rows of all folds as one."""
    return RowScores(np.concatenate([one.gain for one in scores]), np.concatenate([one.base for one in scores]))


def difference(
    ours: RowScores, theirs: RowScores, *, seed: int, groups: Array | None = None, confidence: float = 0.95
) -> Interval:
    """Our score less theirs on the same rows: what they share cancels out."""
    drawn = differences(ours, theirs, seed=seed, groups=groups)
    return percentiles(ours.value - theirs.value, drawn, confidence)


def differences(ours: RowScores, theirs: RowScores, *, seed: int, groups: Array | None = None) -> Array:
    """The same for each resample of the rows."""
    drawn = resampled(len(ours.gain), groups, seed, RESAMPLES)
    return np.concatenate([ours.of(weights) - theirs.of(weights) for weights in drawn])


def drawn(candidates: Sequence[RowScores], *, seed: int, groups: Array | None = None) -> Array:
    """The score of each candidate (a row of its own) on each resample of the rows."""
    blocks = resampled(len(candidates[0].gain), groups, seed, RESAMPLES)
    return np.concatenate([np.stack([one.of(weights) for one in candidates]) for weights in blocks], axis=1)


def corrected(
    candidates: Sequence[RowScores], *, seed: int, groups: Array | None = None, confidence: float = 0.95
) -> CorrectedScore:
    """Bootstrap bias correction (Tsamardinos and others, 2018): picked on the rows drawn, evaluated on those not
    drawn.
    """
    outcomes, own = [], []
    for weights in resampled(len(candidates[0].gain), groups, seed, RESAMPLES):
        drawn = np.stack([one.of(weights) for one in candidates])
        not_drawn = np.stack([one.of((weights == 0).astype(float)) for one in candidates])
        outcomes.append(not_drawn[drawn.argmax(axis=0), np.arange(len(weights))])
        own.append(drawn)
    judged, scores = np.concatenate(outcomes), np.concatenate(own, axis=1)
    return CorrectedScore(
        naive=max(one.value for one in candidates),
        corrected=percentiles(float(judged.mean()), judged, confidence),
        resamples=len(judged),
        candidates=[percentiles(one.value, row, confidence) for one, row in zip(candidates, scores, strict=True)],
    )
