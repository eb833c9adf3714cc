"""The correlation study of prepared features: what is redundant, what goes with the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_ROWS = 5000
MOST_FEATURES = 200
MOST_TOLD = 10
SAME = 0.95


def study_correlations(matrix: Floats, names: Sequence[str], y: NDArray[Any] | None, n_classes: int) -> dict[str, Any]:
    """Pearson's r of every feature with the outcome (of classes: that which it tells most about) and with each other.

    Of many rows some are taken at even distances, of many features those that go best with the outcome.
    """
    rows = slice(None, None, -(-len(matrix) // MOST_ROWS))
    scaled = _scaled(matrix[rows])
    outcome = None if y is None else _scaled(_columns(y[rows], n_classes))
    told = np.zeros(scaled.shape[1])
    if outcome is not None:
        with_each = scaled.T @ outcome
        told = with_each[np.arange(len(with_each)), np.abs(with_each).argmax(axis=1)]
    kept = np.argsort(-np.abs(told), kind="stable")[:MOST_FEATURES]
    among = scaled[:, kept].T @ scaled[:, kept]
    first, second = np.triu_indices(len(kept), k=1)
    strengths = among[first, second]
    order = np.argsort(-np.abs(strengths), kind="stable")[:MOST_TOLD]
    return {
        "rows": len(scaled),
        "features": scaled.shape[1],
        "compared": len(kept),
        "with_target": [{"feature": names[place], "r": float(told[place])} for place in kept[:MOST_TOLD]]
        if outcome is not None
        else [],
        "pairs": [
            {"one": names[kept[first[pair]]], "other": names[kept[second[pair]]], "r": float(strengths[pair])}
            for pair in order
        ],
        "redundant": int((np.abs(strengths) >= SAME).sum()),
    }


def _columns(y: NDArray[Any], n_classes: int) -> Floats:
    """An outcome as columns: itself; or for each class, of two for the second, whether a row is of it."""
    if not n_classes:
        return np.asarray(y, dtype=float)[:, None]
    codes = np.arange(n_classes) if n_classes > 2 else np.array([1])
    return np.asarray(y[:, None] == codes, dtype=float)


def _scaled(matrix: Floats) -> Floats:
    """Centred columns of length one; a constant column is zero."""
    centred = matrix - matrix.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=0)
    scaled: Floats = np.divide(centred, lengths, out=np.zeros_like(centred), where=lengths > 1e-12)
    return scaled
