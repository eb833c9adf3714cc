"""Numbers that can be computed with: their squares, and sums of these, are numbers too."""

from __future__ import annotations

from typing import Any

import numpy as np

LARGEST, SMALLEST = 1e140, 1e-150


def require_squarable(values: Any, name: str = "X", *, twice: bool = False) -> None:
    """Refuse numbers of which one is too large to be squared, or to be squared twice, in scikit-learn's words."""
    _refuse_beyond(_largest(values), name, twice=twice)


def require_computable(X: Any) -> None:
    """Also refuse rows whose largest number is too small: where units matter not, vanishing would be no answer."""
    largest = _largest(X)
    _refuse_beyond(largest, "X")
    if 0 < largest < SMALLEST:
        raise ValueError(f"Input X contains no value large enough for dtype('float64') to be squared: {largest:.3g}")


def _refuse_beyond(largest: float, name: str, *, twice: bool = False) -> None:
    if largest > (LARGEST**0.5 if twice else LARGEST):
        done = "squared twice" if twice else "squared"
        raise ValueError(f"Input {name} contains a value too large for dtype('float64') to be {done}: {largest:.3g}")


def _largest(values: Any) -> float:
    """Of what is known; zero where that is no finite number, of which whoever checks the input has words."""
    try:
        numbers = np.asarray(values.tocsr().data if hasattr(values, "tocsr") else values)
        numbers = numbers.astype(np.float64, copy=False) if numbers.dtype.kind != "c" else np.empty(0)
    except (TypeError, ValueError):
        return 0.0
    largest = max(
        float(np.fmax.reduce(numbers, axis=None, initial=0.0)), -float(np.fmin.reduce(numbers, axis=None, initial=0.0))
    )
    return largest if np.isfinite(largest) else 0.0


def mean_of(columns: Any, weights: Any = None) -> Any:
    """The (weighted) mean of each column; of one that never changes its value, to the last digit."""
    shares = np.full(len(columns), 1 / len(columns)) if weights is None else weights / weights.sum()
    mean = shares @ columns
    return mean + shares @ (columns - mean)


def in_own_units(columns: Any) -> Any:
    """Columns about their middles, of which the largest number is 1: where neither zero nor the unit matters."""
    centred = columns - mean_of(columns)
    largest = np.abs(centred).max(axis=0)
    return centred / np.where(largest > 0, largest, 1.0)


def units_of_known(columns: Any) -> tuple[Any, Any]:
    """Mean and standard deviation of what each column has; 0 and 1 of nothing, and 1 of one that never changes."""
    known = ~np.isnan(columns)
    counts = known.sum(axis=0).clip(min=1)
    mean = np.where(known, columns, 0.0).sum(axis=0) / counts
    mean = mean + np.where(known, columns - mean, 0.0).sum(axis=0) / counts
    differences = np.where(known, columns - mean, 0.0)
    largest = np.abs(differences).max(axis=0)
    largest = np.where(largest > 0, largest, 1.0)
    spread = largest * np.sqrt(((differences / largest) ** 2).sum(axis=0) / counts)
    return mean, np.where(spread > 0, spread, 1.0)


def spread_of(differences: Any, weights: Any) -> float:
    """The root of their (weighted) mean square, whatever their unit; 1 where there is none."""
    unit = _largest(differences) or 1.0
    return unit * float(np.sqrt(np.average((differences / unit) ** 2, weights=weights))) or 1.0
