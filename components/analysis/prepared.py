"""The correlation study of prepared features: what is redundant, what goes with the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MAX_ROWS = 5000
MAX_FEATURES = 200
MAX_TOLD = 10
SAME = 0.95


def study_correlations(matrix: Floats, names: Sequence[str], y: NDArray[Any] | None, n_classes: int) -> dict[str, Any]:
    """Pearson's r of every feature with the outcome and with each other.

    Of two classes it is r with the second. Of more it is the correlation ratio, which has no sign: the root of the
    share of a feature's variance that lies between classes. Of many rows some are taken at even distances, of many
    features those that go best with the outcome.
    """
    rows = slice(None, None, -(-len(matrix) // MAX_ROWS))
    scaled = _scaled(matrix[rows])
    told = np.zeros(scaled.shape[1]) if y is None else _with_outcome(scaled, y[rows], n_classes)
    kept = np.argsort(-np.abs(told), kind="stable")[:MAX_FEATURES]
    among = scaled[:, kept].T @ scaled[:, kept]
    first, second = np.triu_indices(len(kept), k=1)
    strengths = among[first, second]
    order = np.argsort(-np.abs(strengths), kind="stable")[:MAX_TOLD]
    return {
        "rows": len(scaled),
        "features": scaled.shape[1],
        "compared": len(kept),
        "with_target": [{"feature": names[place], "r": float(told[place])} for place in kept[:MAX_TOLD]]
        if y is not None
        else [],
        "pairs": [
            {"one": names[kept[first[pair]]], "other": names[kept[second[pair]]], "r": float(strengths[pair])}
            for pair in order
        ],
        "redundant": int((np.abs(strengths) >= SAME).sum()),
    }


def _with_outcome(scaled: Floats, y: NDArray[Any], n_classes: int) -> Floats:
    if n_classes <= 2:
        told: Floats = scaled.T @ _scaled(np.asarray(y, dtype=float)[:, None])[:, 0]
        return told
    codes = np.asarray(y, dtype=np.int64)
    sizes = np.bincount(codes, minlength=n_classes)
    sums = np.stack([scaled[codes == code].sum(axis=0) for code in range(n_classes)])
    between: Floats = np.sqrt((sums**2 / np.maximum(sizes, 1)[:, None]).sum(axis=0))
    return between


def _scaled(matrix: Floats) -> Floats:
    """Centred columns of length one; a constant column is zero."""
    centred = matrix - matrix.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=0)
    scaled: Floats = np.divide(centred, lengths, out=np.zeros_like(centred), where=lengths > 1e-12)
    return scaled
