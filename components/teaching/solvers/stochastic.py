"""Stochastic gradient descent: a step for every batch of rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from penstock.components.optimisation.descent import Rate
from penstock.components.optimisation.risk import Prefactor, Risk
from penstock.components.optimisation.trace import Array, Rule, Stop, Trace


def batches(rows: int, size: int, rng: np.random.Generator) -> Iterator[Array]:
    """The rows in a new random order, parted: each is in one batch. The last batch may be smaller."""
    order = rng.permutation(rows)
    yield from (order[start : start + size] for start in range(0, rows, size))


def stochastic_descent(
    risk: Risk,
    start: Any,
    *,
    rate: Rate,
    batch: int = 100,
    epochs: int = 50,
    prefactor: Prefactor = "mean",
    seed: int = 0,
    stop: Stop | None = None,
) -> Trace:
    """An epoch goes through all rows once, in batches drawn anew; the rules of `stop` are asked at its end.

    A step goes against the slope of its own batch: where the slope of the whole risk is printed, that is descent by all
    rows, and nothing is drawn.

    The function is worked out at the end of each epoch only, so `values` has one number an epoch, and `points` one
    a step.
    """
    stop = stop or Stop(step=None)
    rng = np.random.default_rng(seed)
    point = np.asarray(start, dtype=np.float64)
    points, values = [point], [risk.value(point)]
    rule: Rule | None = None
    for _ in range(epochs):
        before = point
        for rows in batches(risk.rows, batch, rng):
            pace = rate(len(points) - 1) if callable(rate) else rate
            point = point - pace * risk.batch_slope(point, rows, prefactor)
            points.append(point)
        with np.errstate(over="ignore", invalid="ignore"):
            values.append(risk.value(point))
        rule = stop.after(point, point - before)
        if rule != "diverged":
            rule = rule or stop.before(risk.slope(point), values[-1])
        if rule is not None:
            break
    return Trace(np.array(points), np.array(values), rule or "most", point)
