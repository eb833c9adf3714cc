"""The winner, and what its score is worth once it is known that it was picked."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from operator import methodcaller
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from penstock.components.evaluation.intervals import (
    Ends,
    Floats,
    Interval,
    percentiles,
    require_defined,
    require_score,
    resampled,
)
from penstock.components.evaluation.metrics import Metric
from penstock.components.evaluation.resampled import Scorer
from penstock.components.evaluation.scorers import scorer_by_folds, scorer_of
from penstock.components.evaluation.unseen import unseen_ends

Array = np.ndarray[Any, Any]


class CorrectedScore(BaseModel):
    """`naive`: the best candidate on the rows that chose it. `corrected`: the same picking, evaluated on other rows.

    `resamples`: how many of them defined the metric on both kinds of rows. `candidates`: each one's own score on all
    rows, with its interval.
    """

    model_config = ConfigDict(frozen=True)

    naive: float
    corrected: Interval
    resamples: int
    candidates: list[Interval]


def rank(fold_scores: Sequence[Sequence[float]]) -> list[int]:
    """Candidates from best to worst by their mean over the folds; of equals the earlier one, undefined ones last."""
    means = [math.fsum(scores) / len(scores) if scores else math.nan for scores in fold_scores]
    return sorted(range(len(means)), key=lambda candidate: (math.isnan(means[candidate]), -means[candidate]))


def pick(drawn: Floats, order: Sequence[int], tolerance: float) -> np.ndarray[Any, Any]:
    """For each column of scores, the first in `order` that is at most `tolerance` below the best of the column."""
    by_order = drawn[list(order)]
    near = by_order >= np.fmax.reduce(drawn, axis=0) - tolerance
    picked: Array = np.asarray(order)[near.argmax(axis=0)]
    return picked


def pool(valid: Sequence[Array], predictions: Sequence[Sequence[Array]], scored_on: str) -> tuple[Array, list[Array]]:
    """The rows that were evaluated, in order, and each candidate's predictions for them.

    `valid`: the rows of each fold. A row that was evaluated in several folds stands there as often, or once with its
    mean prediction where `scored_on` is "averages".
    """
    judged = np.concatenate(valid)
    order = np.argsort(judged, kind="stable")
    rows = judged[order]
    pooled = [np.concatenate(by_fold)[order] for by_fold in predictions]
    if scored_on != "averages":
        return rows, pooled
    rows, first, times = np.unique(rows, return_index=True, return_counts=True)
    shares = [times if prediction.ndim == 1 else times[:, None] for prediction in pooled]
    return rows, [np.add.reduceat(one, first) / share for one, share in zip(pooled, shares, strict=True)]


@dataclass(frozen=True)
class Draws:
    """The scores of candidates on all rows, and on resamples of them (candidates, resamples).

    `unseen`: for each candidate, the ends of its interval where all resamples score the same.
    """

    metric: Metric
    values: list[float]
    scores: Floats
    scorers: list[Scorer]
    weights: Callable[[], Iterator[Array]]
    unseen: list[Ends]


def draw_scores(
    metric: Metric,
    y: Array,
    predictions: Sequence[Array],
    *,
    folds: Array | None = None,
    groups: Array | None = None,
    weight: Array | None = None,
    seed: int,
    resamples: int = 500,
) -> Draws:
    """`predictions`: one per candidate, for rows that its fit had not seen.

    `folds`: the fold of each row, where candidates are picked by their mean over folds; else all rows are one.
    """
    if folds is None:
        values = [require_score(metric, y, prediction, weight) for prediction in predictions]
        scorers = [scorer_of(metric, y, prediction, weight) for prediction in predictions]
    else:
        scorers = [scorer_by_folds(metric, y, prediction, folds, weight) for prediction in predictions]
        values = [float(scorer(np.ones((1, len(y))))[0]) for scorer in scorers]
    weights = partial(resampled, len(y), groups, seed, resamples)
    with ThreadPoolExecutor(os.cpu_count()) as threads:  # nothing else runs while a winner is chosen
        blocks = [np.stack(list(threads.map(methodcaller("__call__", block), scorers))) for block in weights()]
    unseen: list[Ends] = [partial(unseen_ends, metric, y, one, groups=groups, weight=weight) for one in predictions]
    return Draws(metric, values, np.concatenate(blocks, axis=1), scorers, weights, unseen)


def correct_for_selection(metric: Metric, y: Array, predictions: Sequence[Array], **given: Any) -> CorrectedScore:
    """The correction for picking the best; `given` as `draw_scores` takes it."""
    return correct_draws(draw_scores(metric, y, predictions, **given))


def correct_draws(
    draws: Draws, *, order: Sequence[int] | None = None, tolerance: float = 0.0, confidence: float = 0.95
) -> CorrectedScore:
    """Bootstrap bias correction of cross-validation (Tsamardinos, Greasidou and Borboudakis, 2018).

    In each resample the candidate that is best on the drawn rows is scored on the rows not drawn. The mean of these
    scores is what picking the best of so many candidates delivers on new rows; if anything it is a little low, as each
    pick sees fewer rows than there are. With an `order` and a `tolerance`, what is picked is the first in order that is
    within the tolerance of the best.
    """
    order = range(len(draws.values)) if order is None else order
    whole = np.array(draws.values)[:, None]
    winner = int(pick(whole, order, tolerance)[0])
    picked = pick(draws.scores, order, tolerance)
    outcomes, start = [], 0
    for weights in draws.weights():
        outcomes.append(_judge_picked(draws.scorers, picked[start : start + len(weights)], weights))
        start += len(weights)
    judged = np.concatenate(outcomes)
    judged[np.isnan(draws.scores[0])] = np.nan  # what drawn rows leave undefined, they leave so for all candidates
    judged = require_defined(draws.metric, [judged])
    intervals = [
        percentiles(value, require_defined(draws.metric, [scores]), confidence, unseen)
        for value, scores, unseen in zip(draws.values, draws.scores, draws.unseen, strict=True)
    ]
    corrected = percentiles(float(judged.mean()), judged, confidence, draws.unseen[winner])
    return CorrectedScore(naive=draws.values[winner], corrected=corrected, resamples=len(judged), candidates=intervals)


def _judge_picked(scorers: Sequence[Scorer], picked: Array, weights: Array) -> Floats:
    """For each resample, the score of the candidate that was picked by the drawn rows, on the rows not drawn."""
    not_drawn = (weights == 0).astype(np.uint8)
    scores = np.empty(len(weights))
    for candidate in np.unique(picked):
        scores[picked == candidate] = scorers[candidate](not_drawn[picked == candidate])
    return scores
