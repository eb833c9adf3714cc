"""Gradient descent, with a constant, scheduled, searched or adaptive rate; and subgradients."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from penstock.components.optimisation.trace import Array, Rule, Stop, Trace

Function = Callable[[Array], float]
Slope = Callable[[Array], Array]
Rate = float | Callable[[int], float]
Schedule = Literal["constant", "step", "cosine", "linear", "root"]

MILESTONES = (0.3, 0.6, 0.9)
SHRINK, ENOUGH = 0.5, 1e-4


def schedule(kind: Schedule, rate: float, total: int) -> Callable[[int], float]:
    """The rate by the number of the step, from 0 on: `step` divides it by ten after 30, 60 and 90 % of all steps."""
    ways: dict[Schedule, Callable[[int], float]] = {
        "constant": lambda _: rate,
        "step": lambda t: rate * 0.1 ** sum(t >= share * total for share in MILESTONES),
        "cosine": lambda t: rate * (1 + math.cos(math.pi * t / total)) / 2,
        "linear": lambda t: rate * (1 - t / total),
        "root": lambda t: rate / math.sqrt(t + 1),
    }
    return ways[kind]


def backtracked(function: Function, point: Array, slope: Array, rate: float = 1.0) -> float:
    """Armijo's rule: halve the rate until the function falls by a share of what the slope promises."""
    value, promise = function(point), ENOUGH * float(slope @ slope)
    while function(point - rate * slope) > value - rate * promise and rate > 1e-16:
        rate *= SHRINK
    return rate


def gradient_descent(
    function: Function,
    slope: Slope,
    start: Any,
    *,
    rate: Rate | Literal["search"] = "search",
    stop: Stop | None = None,
    momentum: float = 0.0,
    adaptive: bool = False,
    validation_loss: Function | None = None,
) -> Trace:
    """Step against the slope (a subgradient will do) until a rule of `stop` fires.

    The slope points where the function rises most: "of maximum descent", as it is called at times, is its opposite.
    `momentum` keeps a share of the last step; `adaptive` divides by the root of all squared slopes so far (AdaGrad).
    `validation_loss` is the error on other rows, which `stop.patience` watches: then the result is its best point, not
    the last, whichever rule fires.
    """
    stop = stop or Stop()
    point = np.asarray(start, dtype=np.float64)
    points, values = [point], [function(point)]
    speed, squares = np.zeros_like(point), np.zeros_like(point)
    watched = validation_loss if stop.patience is not None else None
    best, best_error, since = point, math.inf, 0
    rule: Rule | None = None
    while rule is None:
        steep = slope(point)
        rule = stop.before(steep, values[-1]) or ("most" if len(points) > stop.most else None)
        if watched is not None and stop.patience is not None:
            error = watched(point)
            since = 0 if error < best_error else since + 1
            best, best_error = (point, error) if since == 0 else (best, best_error)
            rule = rule or ("validation" if since >= stop.patience else None)
        if rule is not None:
            break
        if rate == "search":
            pace = backtracked(function, point, steep)
        else:
            pace = rate(len(points) - 1) if callable(rate) else float(rate)
        if adaptive:
            squares = squares + steep**2
            steep = steep / np.sqrt(squares + 1e-16)
        speed = momentum * speed - pace * steep
        point = point + speed
        points.append(point)
        with np.errstate(over="ignore", invalid="ignore"):
            values.append(function(point))
        rule = stop.after(point, speed)
        if rule != "diverged" and not np.isfinite(values[-1]):
            rule = "undefined"
    lost = rule in ("diverged", "undefined")
    if watched is not None and not lost and watched(point) < best_error:
        best = point  # ended by its step, before the other rows were asked
    return Trace(np.array(points), np.array(values), rule, point if watched is None else best)
