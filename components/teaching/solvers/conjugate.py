"""Conjugate gradients: steps that undo nothing of those before, so that a quadratic of d weights takes d at most."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse.linalg import cg

from penstock.components.optimisation.descent import Function
from penstock.components.optimisation.trace import Array, Stop, Trace


def conjugate_gradient(function: Function, A: Array, b: Array, start: Any, *, stop: Stop | None = None) -> Trace:
    """The least value of t'At / 2 - b't, which `function` is but for a constant; A is positive definite.

    scipy's, whose points are kept. Only the gradient and the number of steps end it.
    """
    stop = stop or Stop(most=10 * len(b))
    begun = np.asarray(start, dtype=np.float64)
    points = [begun]
    small = stop.gradient if stop.gradient is not None else 0.0
    # The way from the start, since scipy answers a b of zero with zero, wherever it begins.
    pull = b - A @ begun
    _, left = cg(A, pull, rtol=0.0, atol=small, maxiter=stop.most, callback=lambda way: points.append(begun + way))
    values = np.array([function(point) for point in points])
    return Trace(np.array(points), values, "most" if left else "gradient", points[-1])
