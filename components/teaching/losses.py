"""Losses of one row: of a margin y z (y being -1 or 1), or of a residual."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

# The logistic loss is log(1 + exp(-yz)), with a plus; in base 2 it would lie above the 0-1 loss, by ln it does not.
MARGIN: dict[str, Callable[[Array], Array]] = {
    "0-1": lambda margin: (margin < 0).astype(np.float64),
    "squared": lambda margin: (1 - margin) ** 2,
    "perceptron": lambda margin: np.maximum(0.0, -margin),
    "hinge": lambda margin: np.maximum(0.0, 1 - margin),
    "logistic": lambda margin: np.logaddexp(0.0, -margin),
}
TUBE = 0.5
RESIDUAL: dict[str, Callable[[Array], Array]] = {
    "squared": np.square,
    "absolute": np.abs,
    "epsilon-insensitive": lambda residual: np.maximum(0.0, np.abs(residual) - TUBE),
}
