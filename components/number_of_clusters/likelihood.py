"""BIC and AIC: how likely the rows are, less a price for each parameter."""

from __future__ import annotations

from penstock.components.clustering.choice import likelihood_counts
from penstock.components.number_of_clusters.evidence import Evidence
from penstock.components.number_of_clusters.result import CriterionResult, best_of


def bic(evidence: Evidence) -> CriterionResult:
    return _least(evidence, "bic")


def aic(evidence: Evidence) -> CriterionResult:
    return _least(evidence, "aic")


def _least(evidence: Evidence, name: str) -> CriterionResult:
    values = {k: float(getattr(evidence.mixture(k), name)(evidence.X)) for k in evidence.ks}
    if not likelihood_counts(evidence.X):
        reason = "a column of a few values lets a Gaussian become as narrow as it likes: ever more clusters look better"
        return CriterionResult(criterion=name, values=values, k=None, reason=reason)
    k = best_of(values, "least")
    assert k is not None
    others = sorted(values[other] for other in values if other != k)
    ahead = f", {others[0] - values[k]:.4g} below the next best" if others else ""
    return CriterionResult(
        criterion=name, values=values, k=k, reason=f"{name.upper()} is least with {k}: {values[k]:.5g}{ahead}"
    )
