"""How many rows a direction takes."""

from __future__ import annotations

from typing import Any

import numpy as np


def require_two_rows(estimator: object, X: Any) -> None:
    """One row does not vary, so that no share of its variance can be told; said as scikit-learn says it."""
    shape = X.shape if hasattr(X, "shape") else np.asarray(X).shape
    if len(shape) == 2 and shape[0] == 1:
        raise ValueError(
            f"Found array with 1 sample(s) (shape={shape}) while a minimum of 2 is required by "
            f"{type(estimator).__name__}."
        )
