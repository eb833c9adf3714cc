"""The dendrogram: where to cut it."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import fcluster

from penstock.components.number_of_clusters.evidence import Codes, Evidence, Floats
from penstock.components.number_of_clusters.result import CriterionResult, best_of
from penstock.errors import UsageError

CLEAR = 2.0


def dendrogram_gap(evidence: Evidence) -> CriterionResult:
    """How far the height climbs with the merge that would leave fewer than K clusters; one where no climb is clear.

    A climb is clear where the merge costs twice what the one before it did.
    """
    heights = np.r_[0.0, np.sort(evidence.tree[:, 2])]
    rows = len(heights)
    ks = [k for k in evidence.ks if 2 <= k < rows]
    values = {k: float(heights[rows - k + 1] - heights[rows - k]) for k in ks}
    k = best_of(values, "greatest")
    if k is None:
        reason = "A cut needs a number of clusters between two and the number of rows"
        return CriterionResult(criterion="dendrogram-gap", values=values, k=None, reason=reason)
    last, following = heights[rows - k], heights[rows - k + 1]
    if following < CLEAR * last:
        reason = (
            f"No merge costs {CLEAR:g} times what the one before did: the widest climb, from {k} clusters, is from "
            f"{last:.4g} to {following:.4g}"
        )
        return CriterionResult(criterion="dendrogram-gap", values=values, k=1, reason=reason)
    reason = f"Merging {k} clusters into {k - 1} lifts the height from {last:.4g} to {following:.4g}, the widest climb"
    return CriterionResult(criterion="dendrogram-gap", values=values, k=k, reason=reason)


def cut(tree: Floats, *, height: float | None = None, clusters: int | None = None) -> Codes:
    """The clusters, numbered from 0, of a tree as SciPy makes it: what is joined up to a height, or so many of them."""
    if (height is None) == (clusters is None):
        raise UsageError(
            "PEN343",
            "a tree is cut at a height or into a number of clusters, one of the two",
            where="cut",
            remedy="give either height or clusters",
        )
    if clusters is not None and not 1 <= clusters <= len(tree) + 1:
        raise UsageError(
            "PEN340",
            f"{len(tree) + 1} rows cannot form {clusters} clusters",
            where="cut",
            remedy=f"ask for a number from 1 to {len(tree) + 1}",
        )
    by, at = ("distance", height) if clusters is None else ("maxclust", clusters)
    return np.asarray(fcluster(tree, at, criterion=by)) - 1
