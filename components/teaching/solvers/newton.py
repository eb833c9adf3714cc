"""Newton's method: the quadratic that touches the function is minimised in one step, again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from penstock.components.optimisation.descent import Function, Slope
from penstock.components.optimisation.trace import Array, Rule, Stop, Trace

Curvature = Callable[[Array], Array]


def newton(function: Function, slope: Slope, curvature: Curvature, start: Any, *, stop: Stop | None = None) -> Trace:
    """Gradient descent with the inverse curvature as its rate: one step on a quadratic, few near any least value.

    Of logistic losses this is iteratively reweighted least squares. Where the curvature (the Hessian, X'X of least
    squares and not the XX' that is printed sometimes) is not positive definite, it ends and says so.
    """
    stop = stop or Stop(most=100)
    point = np.asarray(start, dtype=np.float64)
    points, values = [point], [function(point)]
    rule: Rule | None = None
    while rule is None:
        steep = slope(point)
        rule = stop.before(steep, values[-1]) or ("most" if len(points) > stop.most else None)
        if rule is not None:
            break
        try:
            moved = -cho_solve(cho_factor(np.atleast_2d(curvature(point))), steep)
        except LinAlgError:
            rule = "curvature"
            break
        point = point + moved
        points.append(point)
        with np.errstate(all="ignore"):
            values.append(function(point))
        rule = stop.after(point, moved)
        if rule == "diverged":
            rule = "far"  # there is no rate that could be smaller
        elif not np.isfinite(values[-1]):
            rule = "undefined"
    return Trace(np.array(points), np.array(values), rule, point)
