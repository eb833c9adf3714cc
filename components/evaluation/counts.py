"""Scores of answers, from how often each class is true, answered, and rightly answered.

All of them work on arrays of such counts at once: over the resamples of a bootstrap, over the thresholds of a curve.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Counts(NamedTuple):
    """Rows (or their weights) for each class, which is the last axis. `codes`: which class stands where."""

    true: Floats
    guessed: Floats
    right: Floats
    codes: NDArray[np.int64]

    def of_class(self, code: int) -> Counts:
        """One class alone; of a class that never occurs, nothing."""
        column = np.flatnonzero(self.codes == code)
        return Counts(self.true[..., column], self.guessed[..., column], self.right[..., column], self.codes[column])


OfClasses = Callable[[Counts], tuple[Floats, Floats]]
"""What a share counts, and of how many, for each class."""


def accuracy(counts: Counts) -> Floats:
    share: Floats = counts.right.sum(axis=-1) / counts.true.sum(axis=-1)
    return share


def balanced_accuracy(counts: Counts) -> Floats:
    occurs = counts.true > 0
    mean: Floats = _share(counts.right, counts.true).sum(axis=-1) / occurs.sum(axis=-1)
    return mean


def matthews_corrcoef(counts: Counts) -> Floats:
    rows, right = counts.true.sum(axis=-1), counts.right.sum(axis=-1)
    together = right * rows - (counts.true * counts.guessed).sum(axis=-1)
    spread = (rows**2 - (counts.true**2).sum(axis=-1)) * (rows**2 - (counts.guessed**2).sum(axis=-1))
    return np.where(spread > 1e-12 * rows**4, together / np.sqrt(np.abs(spread)), 0.0)


def cohen_kappa(counts: Counts) -> Floats:
    rows = counts.true.sum(axis=-1)
    by_chance = (counts.true * counts.guessed).sum(axis=-1) / rows**2
    observed = counts.right.sum(axis=-1) / rows
    return np.where(by_chance < 1, (observed - by_chance) / (1 - by_chance), np.nan)


def _f_beta(beta: float) -> OfClasses:
    square = beta**2
    return lambda counts: ((1 + square) * counts.right, square * counts.true + counts.guessed)


def _precision(counts: Counts) -> tuple[Floats, Floats]:
    return counts.right, counts.guessed


def _recall(counts: Counts) -> tuple[Floats, Floats]:
    return counts.right, counts.true


def _jaccard(counts: Counts) -> tuple[Floats, Floats]:
    return counts.right, counts.true + counts.guessed - counts.right


def _macro(of_classes: OfClasses) -> Callable[[Counts], Floats]:
    def mean(counts: Counts) -> Floats:
        occurring = counts.true + counts.guessed > 0  # of the others there is nothing to be said
        shares = np.where(occurring, _share(*of_classes(counts)), 0.0)
        mean: Floats = shares.sum(axis=-1) / occurring.sum(axis=-1)
        return mean

    return mean


def _micro(of_classes: OfClasses) -> Callable[[Counts], Floats]:
    def ratio(counts: Counts) -> Floats:
        hits, of_all = of_classes(counts)
        return _share(hits.sum(axis=-1), of_all.sum(axis=-1))

    return ratio


def _weighted(of_classes: OfClasses) -> Callable[[Counts], Floats]:
    def mean(counts: Counts) -> Floats:
        shares = _share(*of_classes(counts))
        return _share((shares * counts.true).sum(axis=-1), counts.true.sum(axis=-1))

    return mean


def _of_class(of_classes: OfClasses, code: int) -> Callable[[Counts], Floats]:
    def share(counts: Counts) -> Floats:
        alone: Floats = _share(*of_classes(counts.of_class(code))).sum(axis=-1)
        return alone

    return share


def _share(hits: Floats, of_all: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(of_all > 0, hits / of_all, 0.0)


_SHARES: dict[str, OfClasses] = {"f1": _f_beta(1), "precision": _precision, "recall": _recall, "jaccard": _jaccard}
COUNTED: dict[str, Callable[[Counts], Floats]] = {
    "accuracy": accuracy,
    "balanced_accuracy": balanced_accuracy,
    "matthews_corrcoef": matthews_corrcoef,
    "cohen_kappa": cohen_kappa,
    "specificity": _of_class(_recall, 0),
    **{name: _of_class(share, 1) for name, share in _SHARES.items()},
    **{f"{name}_macro": _macro(share) for name, share in _SHARES.items()},
    **{f"{name}_micro": _micro(share) for name, share in _SHARES.items()},
    **{f"{name}_weighted": _weighted(share) for name, share in _SHARES.items()},
}


def counted(family: str, given: tuple[float, ...]) -> Callable[[Counts], Floats] | None:
    """The score of a metric for which counts of the classes suffice, else None."""
    if family == "f_beta":
        return _of_class(_f_beta(*given), 1)
    return COUNTED.get(family)
