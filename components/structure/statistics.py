"""Numbers that are greater where rows lie in groups."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist, squareform

Floats = NDArray[np.float64]

CUTS = (2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 63, 80, 100, 125)
NEIGHBOURS = (5, 12, 30)


def statistics(X: Floats) -> Floats:
    """How compact Ward's clusters are, as scaled and with equal spread along all axes; how deep the valleys are."""
    return np.concatenate([_compactness(X), _compactness(_sphered(X)), _valleys(X)])


def _compactness(X: Floats) -> Floats:
    """-log(W_K / W_1), for each number of clusters K; one tree gives them all."""
    cuts = np.array([cut for cut in CUTS if cut <= len(X) // 4])
    heights = linkage(X, "ward")[:, 2]
    inside = np.cumsum(heights**2)  # twice W, with 1, 2, ... merges done
    left: Floats = np.log(inside[-1]) - np.log(np.maximum(inside[len(X) - 1 - cuts], np.finfo(float).tiny))
    return left


def _sphered(X: Floats) -> Floats:
    centred = X - X.mean(axis=0)
    left, spread, _ = np.linalg.svd(centred, full_matrices=False)
    sphered: Floats = left[:, spread > 1e-9 * spread[0]]
    return sphered


def _valleys(X: Floats) -> Floats:
    """Of the groups that stand apart where the density is cut at some level: the deepest valley, and the sum of all."""
    near = pdist(X)
    distances = squareform(near)
    middle = float(np.median(near)) or float(np.median(near[near > 0]))  # of few different rows, most pairs are equal
    floor = 1e-3 * middle
    asked = [neighbours for neighbours in NEIGHBOURS if neighbours <= len(X) // 4]
    cores = np.partition(distances, asked, axis=1)[:, asked]
    first, second = np.triu_indices(len(X), 1)
    found: list[float] = []
    for neighbours, core in zip(asked, cores.T, strict=True):
        reach = np.maximum(near, np.maximum(core[first], core[second]))
        depths = _depths(linkage(reach, "single"), neighbours, floor)
        found += [max(depths, default=0.0), sum(depths)]
    return np.array(found)


def _depths(tree: Floats, fewest: int, floor: float) -> list[float]:
    """Where two groups of `fewest` rows or more meet: log of how much farther apart rows are than in the looser one."""
    count = len(tree) + 1
    births: list[float | None] = [None] * (2 * count - 1)
    levels = np.log(np.maximum(tree[:, 2], floor)).tolist()
    pairs = tree[:, :2].astype(np.int64).tolist()
    sizes = tree[:, 3].tolist()
    depths: list[float] = []
    for merge, (left, right) in enumerate(pairs):
        one, other = births[left], births[right]
        if one is not None and other is not None:
            depths.append(levels[merge] - max(one, other))
            births[count + merge] = min(one, other)
        elif one is not None or other is not None:
            births[count + merge] = other if one is None else one
        elif sizes[merge] >= fewest:
            births[count + merge] = levels[merge]
    return depths
