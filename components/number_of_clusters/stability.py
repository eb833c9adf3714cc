"""Stability: whether clusters of one half of the rows are found again in the other."""

from __future__ import annotations

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from penstock.components.number_of_clusters.evidence import Codes, Evidence, Floats
from penstock.components.number_of_clusters.result import CriterionResult

HALVINGS = 5
BAR = 0.8


def stability(evidence: Evidence, halvings: int = HALVINGS) -> CriterionResult:
    """Prediction strength (Tibshirani and Walther 2005): the largest K that still reaches 0.8, within an error.

    Both halves are clustered. Rows of the second half take the cluster of their nearest row in the first; the value is
    the share of pairs that are together in both ways, of the cluster of the second half that holds together worst.
    One cluster always holds together, so that it is the answer where no other does.
    """
    found = {k: _strengths(evidence, k, halvings) for k in evidence.ks if k <= len(evidence.X) // 2}
    values = {k: float(np.mean(strengths)) for k, strengths in found.items()}
    errors = {k: float(np.std(strengths, ddof=1) / np.sqrt(len(strengths))) for k, strengths in found.items()}
    holding = [k for k in values if values[k] + errors[k] >= BAR]
    k = max(holding, default=1)
    reason = f"{k} clusters are found again in the other half of the rows: {values.get(k, 1.0):.2f}, {BAR:g} is enough"
    if k == 1:
        reason = f"No two or more clusters are found again in the other half of the rows to {BAR:g}"
    return CriterionResult(criterion="stability", values=values, k=k, reason=reason, errors=errors, bar=BAR)


def _strengths(evidence: Evidence, k: int, halvings: int) -> list[float]:
    rng = np.random.default_rng([evidence.seed, k])
    found = []
    for _ in range(halvings):
        order = rng.permutation(len(evidence.X))
        halves = [evidence.X[rows] for rows in np.array_split(order, 2)]
        labels = [evidence.cluster(half, k, evidence.seed) for half in halves]
        found += [strength(halves[one], labels[one], halves[1 - one], labels[1 - one]) for one in (0, 1)]
    return found


def strength(X_train: Floats, known: Codes, X: Floats, labels: Codes) -> float:
    """Of the cluster of X that does worst: the share of its pairs that the training rows put together too."""
    assigned = KNeighborsClassifier(1).fit(X_train, known).predict(X)
    return min(_together(assigned[labels == cluster]) for cluster in np.unique(labels))


def _together(assigned: Codes) -> float:
    """A row alone has no partner that could be found again."""
    size = len(assigned)
    counts = np.unique(assigned, return_counts=True)[1]
    return float((counts * (counts - 1)).sum() / (size * (size - 1))) if size > 1 else 0.0
