"""The Gaussian mixture that explains the rows best, over numbers of clusters and shapes of covariance."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from penstock.components.clustering.agglomerative import cut
from penstock.components.clustering.ward_start import started

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
Covariance = Literal["full", "tied", "diag", "spherical"]

COVARIANCES: tuple[Covariance, ...] = ("full", "tied", "diag", "spherical")
STEPS = 20
GROWTH = 1.25
MAX_CLUSTERS = 150
ROWS_A_CLUSTER = 8


@dataclass(frozen=True)
class Mixture:
    """`cost` is the integrated classification likelihood: BIC and twice the entropy of the shares; less is better."""

    clusters: int
    covariance: Covariance
    cost: float
    labels: Codes


def best_mixture(X: Floats) -> tuple[Mixture, list[dict[str, Any]]]:
    """The mixture of two clusters or more of least cost, and the costs of all that were tried.

    Each starts from a cut of Ward's tree, which serves all numbers of clusters. Numbers rise in steps, to the end, as
    costs may fall once more far beyond a first minimum; then those next to the best are tried, in ever smaller steps.
    """
    tree = linkage(X, "ward")
    mixtures: list[Mixture] = []
    for covariance in COVARIANCES:
        tried: dict[int, Mixture] = {}

        def cost(clusters: int, covariance: Covariance = covariance, tried: dict[int, Mixture] = tried) -> float:
            if clusters not in tried:
                tried[clusters] = _fitted(X, cut(tree, len(X) - clusters), covariance)
            return tried[clusters].cost

        numbers = _rising(len(X))
        best = min(numbers, key=cost)
        step = int(best * (GROWTH - 1)) // 2
        while step:
            best = min({max(best - step, 2), best, min(best + step, numbers[-1])}, key=cost)
            step //= 2
        mixtures += tried.values()
    best_of_all = min(mixtures, key=lambda mixture: (round(mixture.cost, 6), mixture.clusters))
    costs = [{"clusters": one.clusters, "covariance": one.covariance, "cost": one.cost} for one in mixtures]
    return best_of_all, costs


def _rising(rows: int) -> list[int]:
    most = max(min(rows // ROWS_A_CLUSTER, MAX_CLUSTERS), 2)
    numbers = list(range(2, 11))
    while numbers[-1] < most:
        numbers.append(int(np.ceil(numbers[-1] * GROWTH)))
    return [number for number in numbers if number <= most]


def _fitted(X: Floats, labels: Codes, covariance: Covariance) -> Mixture:
    """A few steps of EM from these clusters."""
    weights, means, covariances = started(X, labels, covariance)
    model = GaussianMixture(
        len(means),
        covariance_type=covariance,
        weights_init=weights,
        means_init=means,
        precisions_init=np.linalg.inv(covariances) if covariance in ("full", "tied") else 1 / covariances,
        max_iter=STEPS,
        reg_covar=1e-6 * float(X.var(axis=0).mean()) / len(means),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a few steps are enough to compare
        model.fit(X)
    shares = model.predict_proba(X)
    entropy = -float((shares * np.log(np.maximum(shares, 1e-300))).sum())
    return Mixture(len(means), covariance, float(model.bic(X)) + 2 * entropy, np.asarray(shares.argmax(axis=1)))
