"""Numbers that can be computed with: their squares, and sums of these, are numbers too."""

from __future__ import annotations

from typing import Any

import numpy as np

LARGEST, SMALLEST = 1e140, 1e-160


def require_computable(X: Any) -> None:
    """Refuse rows whose largest number is too large or too small to be squared, in scikit-learn's words."""
    values = X.data if hasattr(X, "tocsr") else X
    largest = float(np.abs(values).max(initial=0.0))
    if largest > LARGEST:
        raise ValueError(f"Input X contains a value too large for dtype('float64') to be squared: {largest:.3g}")
    if 0 < largest < SMALLEST:
        raise ValueError(f"Input X contains no value large enough for dtype('float64') to be squared: {largest:.3g}")
