"""From what is likely in each class to the probabilities of the classes, where some things are impossible."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def posterior(joint: Array, priors: Array) -> Array:
    """The probabilities of the classes, from log P(x, class) of every row; where no class can be, the priors."""
    likeliest = joint.max(axis=1, keepdims=True)
    reached = np.isfinite(likeliest)
    shares = np.exp(joint - np.where(reached, likeliest, 0.0))
    total = shares.sum(axis=1, keepdims=True)  # of shares, and not of the logarithms: however far, they sum to one
    return np.where(reached, shares / np.where(reached, total, 1.0), priors)


def log_likelihood(counts: Array, log_shares: Array) -> Array:
    """Sum of counts * log shares, by row and class: an impossible thing that does not occur costs nothing."""
    impossible = np.isneginf(log_shares)
    total: Array = counts @ np.where(impossible, 0.0, log_shares).T
    if impossible.any():
        total[counts @ impossible.T.astype(float) > 0] = -np.inf
    return total
