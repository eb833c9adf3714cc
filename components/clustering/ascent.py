"""The log-likelihood of a mixture of levels, yes or no, and numbers; and its ascent by gradient.

The gradient of the log-likelihood is that of the complete one, averaged over the shares of rows in clusters (Fisher).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, log_softmax, logit, logsumexp

Array = NDArray[np.float64]

FLOOR = 1e-9
"""The least share of a level: one that a cluster never had is next to impossible there, not impossible."""
MIN_LOG_VARIANCE = np.log(1e-6)


class Densities(NamedTuple):
    """What a cluster is, cluster by cluster: its share, shares of levels and of yes, means, variances."""

    weights: Array
    levels: Array
    binary: Array
    means: Array
    covariances: Array

    def log_joint(self, levels: Array, binary: Array, numbers: Array) -> Array:
        """Of each row and cluster: the log of the cluster's share times the density of the row in it."""
        with np.errstate(divide="ignore"):
            log = np.log(self.weights) + levels @ np.log(self.levels).T
        log = log + binary @ np.log(self.binary).T + (1 - binary) @ np.log1p(-self.binary).T
        return log + self._of_numbers(numbers) if numbers.shape[1] else log

    def _of_numbers(self, numbers: Array) -> Array:
        log = np.zeros((len(numbers), len(self.means)))
        for cluster, (mean, spread) in enumerate(zip(self.means, self.covariances, strict=True)):
            centred = numbers - mean
            if spread.ndim == 1:
                log[:, cluster] = -(centred**2 / spread).sum(axis=1) - np.log(spread).sum()
            else:
                root = np.linalg.cholesky(spread)
                scaled = np.linalg.solve(root, centred.T)
                log[:, cluster] = -(scaled**2).sum(axis=0) - 2 * np.log(np.diag(root)).sum()
        return np.asarray((log - numbers.shape[1] * np.log(2 * np.pi)) / 2)


def ascend(
    start: Densities, levels: Array, binary: Array, numbers: Array, sizes: Sequence[int], steps: int
) -> tuple[Densities, int]:
    """From these densities to the nearest peak. `sizes`: how many levels each feature has."""
    clusters = len(start.weights)
    widths = [1, levels.shape[1], binary.shape[1], numbers.shape[1], numbers.shape[1]]
    ends: Any = np.cumsum(sizes)[:-1] if len(sizes) else []

    def densities(flat: Array) -> Densities:
        share, level, yes, means, spread = _split(flat, clusters, widths)
        parts = [np.exp(log_softmax(part, axis=1)) for part in np.split(level, ends, axis=1)] if len(sizes) else [level]
        weights = np.exp(log_softmax(share[:, 0]))
        shares = np.clip(np.hstack(parts), FLOOR, 1.0)
        return Densities(weights, shares, np.clip(expit(yes), FLOOR, 1 - FLOOR), means, np.exp(spread))

    def loss(flat: Array) -> tuple[float, Array]:
        now = densities(flat)
        log = now.log_joint(levels, binary, numbers)
        total = logsumexp(log, axis=1, keepdims=True)
        shares = np.exp(log - total)
        sums = shares.sum(axis=0)
        far = shares.T @ numbers - sums[:, None] * now.means
        squares = shares.T @ numbers**2 - 2 * now.means * (shares.T @ numbers) + sums[:, None] * now.means**2
        slopes = [
            (sums - len(levels) * now.weights)[:, None],
            shares.T @ levels - sums[:, None] * now.levels,
            shares.T @ binary - sums[:, None] * now.binary,
            far / now.covariances,
            (squares / now.covariances - sums[:, None]) / 2,
        ]
        return -float(total.sum()) / len(log), -np.hstack(slopes).ravel() / len(log)

    beginning = np.hstack(
        [
            np.log(start.weights)[:, None],
            np.log(start.levels),
            logit(start.binary),
            start.means,
            np.log(start.covariances),
        ]
    )
    bounds: list[tuple[Any, Any]] = []
    for _ in range(clusters):
        bounds += [(None, None)] * sum(widths[:4]) + [(MIN_LOG_VARIANCE, None)] * widths[4]
    options = {"maxiter": steps, "ftol": 1e-15, "gtol": 1e-8}
    found = minimize(loss, beginning.ravel(), jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return densities(found.x), int(found.nit)


def _split(flat: Array, clusters: int, widths: Sequence[int]) -> list[Array]:
    return np.split(flat.reshape(clusters, -1), np.cumsum(widths)[:-1], axis=1)
