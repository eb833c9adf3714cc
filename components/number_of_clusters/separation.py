"""Criteria of how far apart the clusters lie. They compare clusters, so that all of them start at two."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.metrics import calinski_harabasz_score, davies_bouldin_score, silhouette_score

from penstock.components.number_of_clusters.evidence import Codes, Evidence, Floats
from penstock.components.number_of_clusters.result import CriterionResult, best_of

WEAK = 0.25
"""Below it a mean silhouette is a sign of no substantial structure (Kaufman and Rousseeuw 1990)."""


def silhouette(evidence: Evidence) -> CriterionResult:
    values = _scores(evidence, silhouette_score)
    k = best_of(values, "greatest")
    if k is None:
        return _undefined("silhouette")
    if values[k] < WEAK:
        reason = f"The best silhouette, {values[k]:.3f} with {k}, is below {WEAK:g}: no substantial structure"
        return CriterionResult(criterion="silhouette", values=values, k=1, reason=reason, bar=WEAK)
    reason = f"The mean silhouette is greatest with {k}: {values[k]:.3f}"
    return CriterionResult(criterion="silhouette", values=values, k=k, reason=reason, bar=WEAK)


def calinski_harabasz(evidence: Evidence) -> CriterionResult:
    values = _scores(evidence, calinski_harabasz_score)
    k = best_of(values, "greatest")
    if k is None:
        return _undefined("calinski-harabasz")
    reason = f"Spread between over spread inside the clusters is greatest with {k}: {values[k]:.4g}. It never says 1"
    return CriterionResult(criterion="calinski-harabasz", values=values, k=k, reason=reason)


def davies_bouldin(evidence: Evidence) -> CriterionResult:
    values = _scores(evidence, davies_bouldin_score)
    k = best_of(values, "least")
    if k is None:
        return _undefined("davies-bouldin")
    reason = (
        f"The overlap of each cluster with the one nearest to it is least with {k}: {values[k]:.3f}. It never says 1"
    )
    return CriterionResult(criterion="davies-bouldin", values=values, k=k, reason=reason)


def _scores(evidence: Evidence, score: Callable[[Floats, Codes], float]) -> dict[int, float]:
    found = {}
    for k in evidence.ks:
        labels = evidence.labels(k)
        if 2 <= len(np.unique(labels)) < len(labels):
            found[k] = float(score(evidence.X, labels))
    return found


def _undefined(criterion: str) -> CriterionResult:
    reason = "None of these clusterings has two clusters and a cluster of two rows"
    return CriterionResult(criterion=criterion, values={}, k=None, reason=reason)
