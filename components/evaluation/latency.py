"""How long predictions take."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median

REPEATS = 25
MIN_REPEATS = 5
SECONDS = 5.0


def median_milliseconds(calls: Sequence[Callable[[], object]]) -> list[float]:
    """Of each call, the median of 25 repeats (fewer, though at least 5, once 5 seconds have passed).

    The calls take turns, so that whatever else slows the machine falls on all of them alike; the first turn, in which
    caches fill, does not count.
    """
    taken: list[list[float]] = [[] for _ in calls]
    began = time.perf_counter()
    for turn in range(REPEATS + 1):
        for call, times in zip(calls, taken, strict=True):
            started = time.perf_counter()
            call()
            if turn:
                times.append(1000 * (time.perf_counter() - started))
        if turn >= MIN_REPEATS and time.perf_counter() - began > SECONDS:
            break
    return [median(times) for times in taken]
