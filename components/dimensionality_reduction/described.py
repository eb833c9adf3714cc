"""What an extractor made, for people: what its new columns are made of, and how much each explains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

MAX_COMPONENTS = 10
MAX_LOADINGS = 6
MAX_VARIANCES = 60

Array = np.ndarray[Any, Any]


def loadings(extractor: Any, names: Sequence[str], made: Sequence[str]) -> list[dict[str, Any]]:
    """For each of the first new columns, the columns that weigh most in it; nothing where a kernel stands between."""
    if hasattr(extractor, "scalings_"):
        weights = np.asarray(extractor.scalings_).T
    elif hasattr(extractor, "components_"):
        weights = np.asarray(extractor.components_)
    else:
        return []
    described = []
    for component, row in zip(made[:MAX_COMPONENTS], weights, strict=False):
        largest = np.argsort(-np.abs(row), kind="stable")[:MAX_LOADINGS]
        described.append(
            {
                "component": component,
                "made_of": [{"feature": names[place], "weight": float(row[place])} for place in largest],
            }
        )
    return described


def spectrum(matrix: Array, kept: int, share: float | None) -> dict[str, Any]:
    """Variances along all principal directions of the rows that PCA trained on, how many it keeps, and for what share.

    `gap`: how many stand before the largest fall.
    """
    centred = matrix - matrix.mean(axis=0)
    values = np.linalg.svd(centred, compute_uv=False) ** 2 / max(len(matrix) - 1, 1)
    total = float(values.sum()) or 1.0
    shown = values[:MAX_VARIANCES]
    return {
        "variances": [float(value) for value in shown],
        "explained": [float(value) for value in np.cumsum(shown) / total],
        "components": len(values),
        "kept": kept,
        "share": share,
        "gap": int(np.argmax(-np.diff(values))) + 1 if len(values) > 1 else 1,
    }
