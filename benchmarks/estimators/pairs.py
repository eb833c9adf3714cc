"""What is compared: an estimator of ours, the nearest class of a library, and data for both."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]
TIMES = 4  # how much longer and wider the larger tables are


@dataclass(frozen=True)
class Pair:
    """`ours` and `peer` make an estimator that is not fitted; `data` makes X and y (or None) of n rows and p columns.

    `peer` is None where no library has the method: then only growth is printed. `name` tells the method, and the data
    where a family tries several. `lazy`: one of the two does its work when it is asked, the other when it learns, so
    that learning counts with its first answer.
    """

    name: str
    ours: Callable[[], Any]
    peer: Callable[[], Any] | None
    data: Callable[[int, int], tuple[Any, Any]]
    rows: int = 2000
    columns: int = 10
    lazy: bool = False


class Timing(NamedTuple):
    """Processor seconds of learning, and of answering for the same rows: a busy machine does not add to them.

    Of a step that transforms, learning includes its first answer.
    """

    fit: float
    answer: float


class Measured(NamedTuple):
    """One size of a pair: medians over repeats, and the median of the ratios of fits that stood side by side."""

    rows: int
    columns: int
    ours: Timing
    peer: Timing | None
    ratio: float
    answer_ratio: float


def measure(pair: Pair, repeats: int) -> Iterator[Measured]:
    """At the first size, at four times the rows, and at four times the columns."""
    for rows, columns in (
        (pair.rows, pair.columns),
        (TIMES * pair.rows, pair.columns),
        (pair.rows, TIMES * pair.columns),
    ):
        X, y = pair.data(rows, columns)
        ours, peers = [], []
        for make in filter(None, (pair.ours, pair.peer)):  # what is loaded at first use does not count
            _time(make(), X, y, lazy=pair.lazy)
        for _ in range(repeats):  # one after the other, so that a busy machine slows both
            ours.append(_time(pair.ours(), X, y, lazy=pair.lazy))
            if pair.peer:
                peers.append(_time(pair.peer(), X, y, lazy=pair.lazy))
        beside = zip(ours, peers, strict=True) if peers else ()
        ratios = [Timing(one.fit / other.fit, one.answer / other.answer) for one, other in beside]
        yield Measured(
            rows,
            columns,
            _median(ours),
            _median(peers) if peers else None,
            *(_median(ratios) if ratios else (math.nan, math.nan)),
        )


def growth(small: float, large: float) -> float:
    """The power of the size that the time grows with: 1 is linear, 2 quadratic."""
    return math.log(large / small) / math.log(TIMES)


def _time(estimator: Any, X: Any, y: Any, *, lazy: bool) -> Timing:
    is_step = not hasattr(estimator, "predict") and hasattr(estimator, "transform")
    learn = estimator.fit_transform if is_step else estimator.fit  # as a pipeline calls it
    started = time.process_time()
    learn(X) if y is None else learn(X, y)
    learnt = time.process_time()
    answer = getattr(estimator, "predict", None) or getattr(estimator, "transform", None)
    if not answer:
        return Timing(max(learnt - started, 1e-9), math.nan)
    answer(X)
    answered = time.process_time()
    return Timing(max((answered if lazy else learnt) - started, 1e-9), max(answered - learnt, 1e-9))


def _median(timings: list[Timing]) -> Timing:
    return Timing(*(statistics.median(values) for values in zip(*timings, strict=True)))
