"""Which candidates can be told apart from the winner, and how sure the mean over folds is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict
from scipy import stats

from penstock.components.evaluation.intervals import Floats, Interval
from penstock.components.evaluation.metrics import decided

Array = np.ndarray[Any, Any]

LEVEL = 0.05
"""Chance, over all candidates together, that one as good as the winner is called different."""


MIN_FOLDS = 10
"""A t test on fewer folds can hardly tell anything apart: with three it needs 4.3 standard errors."""


class Decisions(BaseModel):
    """McNemar's test: rows that only the winner decides rightly, rows that only the other one does."""

    model_config = ConfigDict(frozen=True)

    only_winner: int
    only_other: int
    p: float
    adjusted: float = 1.0


class Against(BaseModel):
    """The winner's score less another candidate's, and whether chance explains it.

    `test`: "folds" for the corrected resampled t test on the scores of the folds, "rows" for resampled rows where
    there are fewer than ten folds. `adjusted` is Holm's p over all candidates; `alike` is where that is above 5 %.
    """

    model_config = ConfigDict(frozen=True)

    difference: float
    low: float
    high: float
    test: Literal["folds", "rows"]
    p: float
    adjusted: float = 1.0
    alike: bool = True
    decisions: Decisions | None = None


def corrected_error(scores: Sequence[float] | Floats, test_to_train: float) -> float:
    """Standard error of a mean over folds that share training rows (Nadeau and Bengio, 2003).

    Folds are not independent, so their spread alone promises too much. The term `test_to_train`, validation rows per
    training row, makes up for it.
    """
    return math.sqrt((1 / len(scores) + test_to_train) * float(np.var(scores, ddof=1)))


def fold_interval(scores: Sequence[float] | Floats, test_to_train: float, confidence: float = 0.95) -> Interval | None:
    """The corrected resampled t interval of a mean over folds; None of a single fold."""
    if len(scores) < 2:
        return None
    mean = float(np.mean(scores))
    half_width = stats.t.ppf((1 + confidence) / 2, len(scores) - 1) * corrected_error(scores, test_to_train)
    return Interval(value=mean, low=mean - half_width, high=mean + half_width, confidence=confidence)


def against_on_folds(winner: Sequence[float], other: Sequence[float], test_to_train: float) -> Against:
    """Corrected resampled t test on what the two differ by in each fold."""
    differences = np.subtract(winner, other)
    interval = fold_interval(differences, test_to_train)
    assert interval is not None
    error = corrected_error(differences, test_to_train)
    p = _two_sided(interval.value, error, lambda t: float(stats.t.sf(t, len(differences) - 1)))
    return Against(difference=interval.value, low=interval.low, high=interval.high, test="folds", p=p)


def against_on_rows(winner: float, other: float, resampled: Floats, test_to_train: float) -> Against:
    """`resampled`: what the two differ by in each resample of the rows.

    Resampled rows know nothing of other training rows; the error is widened for these as that of folds is.
    """
    difference = winner - other
    known = resampled[~np.isnan(resampled)]
    error = math.sqrt(1 + test_to_train) * float(np.std(known, ddof=1)) if len(known) > 1 else math.nan
    half_width = float(stats.norm.ppf(0.975)) * error
    p = _two_sided(difference, error, lambda z: float(stats.norm.sf(z)))
    return Against(difference=difference, low=difference - half_width, high=difference + half_width, test="rows", p=p)


def mcnemar(y: Array, winner: Array, other: Array) -> Decisions:
    """The exact test on the rows of which one candidate decides rightly and the other wrongly."""
    right, others = decided(winner) == y, decided(other) == y
    only_winner, only_other = int(np.sum(right & ~others)), int(np.sum(others & ~right))
    apart = only_winner + only_other
    p = float(stats.binomtest(only_winner, apart).pvalue) if apart else 1.0
    return Decisions(only_winner=only_winner, only_other=only_other, p=p)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted so that the probability of any false difference among them all stays below the level (Holm, 1979)."""
    adjusted, least = [0.0] * len(p_values), 0.0
    for place, position in enumerate(sorted(range(len(p_values)), key=lambda position: p_values[position])):
        least = max(least, min(1.0, (len(p_values) - place) * p_values[position]))
        adjusted[position] = least
    return adjusted


def with_holm(found: Sequence[Against]) -> list[Against]:
    adjusted = holm([one.p for one in found])
    judged = [one.decisions for one in found if one.decisions]
    decisions = iter(holm([one.p for one in judged]))
    return [
        one.model_copy(
            update={
                "adjusted": p,
                "alike": p >= LEVEL,
                "decisions": one.decisions and one.decisions.model_copy(update={"adjusted": next(decisions)}),
            }
        )
        for one, p in zip(found, adjusted, strict=True)
    ]


def _two_sided(difference: float, error: float, tail: Callable[[float], float]) -> float:
    if not error > 0:  # no spread at all, or not known
        return 1.0 if difference == 0 or math.isnan(error) else 0.0
    return min(1.0, 2 * tail(abs(difference) / error))
