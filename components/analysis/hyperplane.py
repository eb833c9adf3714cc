"""Whether a hyperplane parts two classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

Array = np.ndarray[Any, Any]
Floats = NDArray[np.float64]

INFEASIBLE = 2


def separating(X: Floats, positive: Array, *, intercept: bool = True) -> tuple[Floats, float] | None:
    """Some w and b with y (w.x + b) >= 1 in every row, which a linear programme finds; None where there are none.

    They decide whether a hard margin exists, whether the perceptron ends, and whether logistic regression without a
    penalty has finite weights (then: none). Without an intercept, b is 0.
    """
    signs = np.where(positive, 1.0, -1.0)
    centre = X.mean(axis=0) if intercept else np.zeros(X.shape[1])
    spread = np.sqrt(np.mean((X - centre) ** 2, axis=0))
    spread = np.where(spread > 0, spread, 1.0)
    rows = -signs[:, None] * np.column_stack([(X - centre) / spread, np.full(len(X), float(intercept))])
    answer = linprog(np.zeros(rows.shape[1]), A_ub=rows, b_ub=-np.ones(len(X)), bounds=(None, None), method="highs")
    if answer.status == INFEASIBLE:
        return None
    if answer.status != 0:
        raise ArithmeticError(f"whether a hyperplane parts the rows could not be decided: {answer.message}")
    weights = answer.x[:-1] / spread
    return weights, float(answer.x[-1] - weights @ centre) if intercept else 0.0
