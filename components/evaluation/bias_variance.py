"""What is wrong on average, and what changes from one training set to the next."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = np.ndarray[Any, Any]
Floats = NDArray[np.float64]


def squared_loss(predictions: Floats, truth: Floats, noise: float = 0.0) -> dict[str, float]:
    """Bias, variance and their sum for models fitted on different training rows, (models, rows).

    `truth`: what the rows would be without noise, where that is known, and `noise` its variance: then bias² +
    variance + noise is the expected squared error. On real data only noisy outcomes are known: with them as `truth`,
    the bias has the noise in it. Probabilities go as (models, rows, classes) against ones and zeros; the sum over
    classes is then the Brier score.
    """
    main = predictions.mean(axis=0)
    bias = _per_row((main - truth) ** 2)
    variance = _per_row(((predictions - main) ** 2).mean(axis=0))
    return {"loss": bias + variance + noise, "bias": bias, "variance": variance, "noise": noise}


def zero_one_loss(decisions: Array, y: Array) -> dict[str, float]:
    """Domingos' (2000) decomposition for decisions, (models, rows).

    The main decision is the commonest one. Where it is right, a model that differs is wrong (`variance_hurts`); where
    it is wrong, one that differs may be right (`variance_helps`): loss = bias + hurts - helps.
    """
    classes = np.arange(int(max(decisions.max(), y.max())) + 1)
    votes = (decisions[:, :, None] == classes).sum(axis=0)
    main = votes.argmax(axis=1)
    wrong = main != y
    return {
        "loss": float((decisions != y).mean()),
        "bias": float(wrong.mean()),
        "variance": float((decisions != main).mean()),
        "variance_hurts": float(((decisions != main) & ~wrong).mean()),
        "variance_helps": float(((decisions == y) & wrong).mean()),
    }


def bull_eye(predictions: Floats, truth: Floats) -> dict[str, Any]:
    """Each model as a point, the truth in the middle: how far off it is along two directions.

    To the right lies what all models are off by together (the bias); upwards the direction in which they differ most.
    Distances are root mean squares, in the units of the outcome.
    """
    flat = predictions.reshape(len(predictions), -1)
    off = (flat - truth.reshape(-1)) / np.sqrt(len(truth))
    shared = off.mean(axis=0)
    length = float(np.linalg.norm(shared))
    right = shared / length if length > 0 else np.eye(1, off.shape[1])[0]
    rest = off - shared
    rest = rest - np.outer(np.einsum("mn,n->m", rest, right), right)
    up = np.linalg.svd(rest, full_matrices=False)[2][0]
    points = np.stack([np.einsum("mn,n->m", off, right), np.einsum("mn,n->m", off, up)], axis=1)
    return {"points": points.tolist(), "bias": length, "spread": float(np.sqrt(((off - shared) ** 2).sum(1).mean()))}


def _per_row(values: Floats) -> float:
    return float(values.sum() / len(values))
