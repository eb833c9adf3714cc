"""Groups of any shape that thinly populated space sets apart: those that hang least on how HDBSCAN is set."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics import adjusted_rand_score

from penstock.components.clustering.hdbscan import HDBSCAN
from penstock.components.structure.validity import reachability_validity

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

MIN_ROWS = (5, 10, 20, 40)
NEIGHBOURS = (1, 5)


@dataclass(frozen=True)
class Dense:
    """`steadiness`: how much other settings agree, as their mean adjusted Rand index; `validity`: see `validity`."""

    min_cluster_size: int
    min_samples: int
    labels: Codes
    steadiness: float
    validity: float

    @property
    def clusters(self) -> int:
        return int(self.labels.max()) + 1


def steadiest(X: Floats) -> Dense | None:
    """The groups that other settings agree on most; None where no setting finds two. Quadratic: thin the rows first.

    Rows that a setting takes for noise count to the group of the nearest row.
    """
    distances = squareform(pdist(X))
    settings = [setting for setting in product(MIN_ROWS, NEIGHBOURS) if 2 * setting[0] <= len(X)]
    found = {
        setting: HDBSCAN(setting[0], min_samples=setting[1], noise="nearest").fit(X).labels_ for setting in settings
    }
    found = {setting: labels for setting, labels in found.items() if labels.max() > 0}
    if not found:
        return None
    dense = []
    for setting, labels in found.items():
        # A setting that finds nothing agrees with none.
        agreed = sum(adjusted_rand_score(labels, others) for others in found.values()) - 1
        valid = reachability_validity(distances, labels)
        dense.append(Dense(*setting, labels, agreed / max(len(settings) - 1, 1), -1.0 if valid is None else valid))
    return max(dense, key=lambda one: (round(one.steadiness, 6), round(one.validity, 6)))
