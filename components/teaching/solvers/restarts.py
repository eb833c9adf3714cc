"""The lowest of several ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock.components.optimisation.trace import Array, Trace


def multi_start(solve: Callable[[Any], Trace], starts: Sequence[Any]) -> tuple[Trace, Array]:
    """The trace that ends lowest, and where each start ended: a spread of these shows how treacherous the function is.

    Starts that end where there is nothing lose against any other.
    """
    traces = [solve(start) for start in starts]
    ends = np.array([math.inf if trace.lost else trace.values[-1] for trace in traces])
    return traces[int(np.nanargmin(ends))], ends
