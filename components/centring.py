"""Means and spreads that keep their digits, wherever zero is and whatever the unit."""

from __future__ import annotations

from typing import Any

import numpy as np


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
    unit = float(np.abs(differences).max()) or 1.0
    return unit * float(np.sqrt(np.average((differences / unit) ** 2, weights=weights))) or 1.0
