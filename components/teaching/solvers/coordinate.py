"""Descent along one coordinate at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from penstock.components.optimisation.descent import Function
from penstock.components.optimisation.trace import Array, Rule, Stop, Trace


def coordinate_descent(function: Function, start: Any, *, stop: Stop | None = None) -> Trace:
    """Go through the coordinates, minimising over each alone; a point of the trace is a whole sweep."""
    stop = stop or Stop(most=200)
    point = np.asarray(start, dtype=np.float64)
    points, values = [point], [function(point)]
    rule: Rule | None = None
    while rule is None:
        moved = point.copy()
        for place in range(len(point)):
            moved[place] = minimize_scalar(_along(function, moved, place)).x
        rule = stop.after(moved, moved - point) or ("most" if len(points) >= stop.most else None)
        # Rounding of the search on one coordinate must not lift the function at the end.
        point = moved if function(moved) <= values[-1] else point
        points.append(point)
        values.append(function(point))
    return Trace(np.array(points), np.array(values), rule, point)


def _along(function: Function, point: Array, place: int) -> Callable[[float], float]:
    def alone(value: float) -> float:
        there = point.copy()
        there[place] = value
        return function(there)

    return alone
