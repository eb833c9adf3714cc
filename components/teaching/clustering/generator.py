"""Rows of a Gaussian mixture whose centres shrink with the number of columns, for experiments with known truth."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def mixture_rows(
    rows: int, columns: int, clusters: int, variance: float, *, seed: int
) -> tuple[Array, NDArray[np.int64], Array]:
    """Rows, their clusters and the centres: standard normal numbers over the root of the number of columns.

    To its centre each row adds noise of this variance (not standard deviation). So the distance of two centres is about
    the root of two, however many columns there are, and beyond some variance nobody can tell the clusters apart.
    """
    rng = np.random.default_rng(seed)
    centres: Any = rng.standard_normal((clusters, columns)) / np.sqrt(columns)
    labels = rng.integers(clusters, size=rows)
    return centres[labels] + np.sqrt(variance) * rng.standard_normal((rows, columns)), labels, centres
