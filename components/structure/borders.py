"""Whether the borders between clusters run through valleys, where fewer rows are, or through the midst of a shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.integer[Any]]

WINDOW = 0.125  # half the width of the windows that rows are counted in, of the way between two centres
ERRORS = 2.0  # so many standard errors fewer rows at the border than at the thinner centre make a valley
MIN_ROWS = 3


def uncut_share(X: Floats, labels: Codes, coarse: Codes) -> float:
    """The share of all rows in clusters that no valley parts from another one in the same coarse cluster.

    Such clusters are pieces of one shape. A cluster lies in the coarse cluster that most of its rows are in; -1 where
    that is not known of a row.
    """
    numbers = [
        cluster for cluster in np.unique(labels[coarse >= 0]) if cluster >= 0 and (labels == cluster).sum() >= MIN_ROWS
    ]
    inside = {cluster: X[labels == cluster] for cluster in numbers}
    within = {cluster: int(np.bincount(coarse[(labels == cluster) & (coarse >= 0)]).argmax()) for cluster in numbers}
    pieces = {
        cluster
        for cluster in numbers
        if any(
            within[other] == within[cluster] and valley(inside[cluster], inside[other]) < ERRORS
            for other in numbers
            if other != cluster
        )
    }
    return sum(len(inside[cluster]) for cluster in pieces) / len(X)


def valley(one: Floats, other: Floats) -> float:
    """Rows about the thinner centre less those about the border, on the line between the centres, in standard errors.

    The border is where the line parts the two clusters with the fewest errors.
    """
    centre, way = one.mean(axis=0), other.mean(axis=0) - one.mean(axis=0)
    length = float(way @ way)
    if length == 0:
        return 0.0
    near, far = (one - centre) @ way / length, (other - centre) @ way / length
    places = np.linspace(0.1, 0.9, 33)
    errors = (near[:, None] > places).sum(axis=0) + (far[:, None] < places).sum(axis=0)
    border = float(places[errors == errors.min()].mean())
    along = np.concatenate([near, far])
    first, between, second = (int((np.abs(along - place) < WINDOW).sum()) for place in (0.0, border, 1.0))
    thinner = min(first, second)
    return float((thinner - between) / np.sqrt(max(thinner + between, 1)))
