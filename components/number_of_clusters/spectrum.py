"""Eigengap: how many parts the graph of nearest neighbours all but falls into."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.csgraph import laplacian
from sklearn.neighbors import kneighbors_graph

from penstock.components.number_of_clusters.evidence import Evidence, Floats, draw
from penstock.components.number_of_clusters.result import CriterionResult, best_of

MAX_ROWS = 1000
NEIGHBOURS = 10
FLOOR = 0.002
"""An eigenvalue below it is as good as zero: a part with hardly an edge to the others."""
CLEAR = 0.5


def eigengap(evidence: Evidence) -> CriterionResult:
    """The gap after the K-th eigenvalue of the normalised graph Laplacian, as a share of the next one.

    A graph of K parts that are not connected has K eigenvalues of zero. The widest gap decides where it is half of the
    eigenvalue that follows; else the graph is one part.
    """
    X = evidence.X[draw(evidence.X, evidence.seed, MAX_ROWS)]
    ks = [k for k in evidence.ks if k + 1 < len(X)]
    eigenvalues = spectrum(X, max(ks) + 1) if ks else np.zeros(0)
    values = {k: float((eigenvalues[k] - eigenvalues[k - 1]) / (eigenvalues[k] + FLOOR)) for k in ks}
    k = best_of(values, "greatest")
    if k is None:
        return CriterionResult(
            criterion="eigengap", values=values, k=None, reason="There are too few rows for a graph of them"
        )
    if values[k] < CLEAR:
        widest = f"the widest gap, after {k}, is {values[k]:.2f}"
        reason = f"No eigenvalue of the graph of neighbours stands clearly apart: {widest}"
        return CriterionResult(criterion="eigengap", values=values, k=1, reason=reason, bar=CLEAR)
    parts = "1 eigenvalue" if k == 1 else f"{k} eigenvalues"
    reason = f"The graph of neighbours has {parts} near zero: the next stands {values[k]:.0%} of its size above them"
    return CriterionResult(criterion="eigengap", values=values, k=k, reason=reason, bar=CLEAR)


def spectrum(X: Floats, count: int) -> Floats:
    """The least eigenvalues of the normalised Laplacian of the graph that joins rows to their neighbours."""
    graph = kneighbors_graph(X, min(NEIGHBOURS, len(X) - 1))
    matrix = laplacian((graph + graph.T) / 2, normed=True).toarray()
    return np.asarray(eigh(matrix, eigvals_only=True, subset_by_index=[0, count - 1])).clip(min=0.0)
