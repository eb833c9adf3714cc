"""The gap statistic: how much tighter the clusters are than those of rows without groups.

Gap(K) = mean of log W_K of drawn references - log W_K of the rows. The references are uniform in the box that holds the
rows, and are clustered as the rows are. The opposite sign, which is also found in print, would pick the worst K.
"""

from __future__ import annotations

import numpy as np

from penstock.components.number_of_clusters.evidence import Evidence, Floats, log_spread
from penstock.components.number_of_clusters.result import CriterionResult, best_of

REFERENCES = 10


def gap(evidence: Evidence, references: int = REFERENCES) -> CriterionResult:
    """The smallest K whose gap is at most one standard error below that of K + 1 (Tibshirani, Walther, Hastie 2001)."""
    values, errors = gaps(evidence, references)
    followed = [k for k in values if k + 1 in values]
    fitting = [k for k in followed if values[k] >= values[k + 1] - errors[k + 1]]
    if not fitting:
        reason = f"The gap still rises at {max(values)} clusters: there may be more, or none that are round"
        return CriterionResult(criterion="gap", values=values, k=None, reason=reason, errors=errors)
    k = fitting[0]
    reason = (
        f"With {k} the gap is {values[k]:.3f}; one cluster more brings {values[k + 1]:.3f}, which is not clearly above "
        f"(standard error {errors[k + 1]:.3f})"
    )
    return CriterionResult(criterion="gap", values=values, k=k, reason=reason, errors=errors)


def gap_maximum(evidence: Evidence, references: int = REFERENCES) -> CriterionResult:
    values, errors = gaps(evidence, references)
    k = best_of(values, "greatest")
    assert k is not None
    reason = f"The gap is greatest with {k}: {values[k]:.3f}"
    return CriterionResult(criterion="gap-maximum", values=values, k=k, reason=reason, errors=errors)


def gaps(evidence: Evidence, references: int) -> tuple[dict[int, float], dict[int, float]]:
    """Gap and its standard error by K; the error counts that the mean over the references is not exact."""
    logs = evidence.reference_logs(references)
    own = np.array([log_spread(evidence.spread[k]) for k in evidence.ks])
    values, errors = logs.mean(axis=0) - own, logs.std(axis=0) * np.sqrt(1 + 1 / references)
    return _by_k(evidence, values), _by_k(evidence, errors)


def _by_k(evidence: Evidence, values: Floats) -> dict[int, float]:
    return dict(zip(evidence.ks, values.tolist(), strict=True))
