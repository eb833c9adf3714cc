"""An order of rows and columns in which things that are alike stand together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
from scipy.spatial.distance import squareform


def seriate(dissimilarities: Any) -> NDArray[np.int64]:
    """The order of the leaves of an average-linkage tree in which neighbours are least unlike."""
    matrix = np.asarray(dissimilarities, dtype=np.float64)
    if len(matrix) < 3:
        return np.arange(len(matrix))
    condensed = squareform(matrix, checks=False)
    tree = optimal_leaf_ordering(linkage(condensed, method="average"), condensed)
    return np.asarray(leaves_list(tree), dtype=np.int64)
