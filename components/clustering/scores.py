"""How well separated the clusters are, seen from the rows alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import calinski_harabasz_score, davies_bouldin_score, silhouette_samples


def internal_scores(
    X: NDArray[np.float64],
    labels: NDArray[np.integer[Any]],
    *,
    estimator: Any = None,
    seed: int,
    most_rows: int = 2000,
) -> dict[str, Any]:
    """Scores of one clustering of the rows of X. A score that these rows cannot give is None.

    Greater is better for `silhouette`, `calinski_harabasz` and whatever starts with `neg_`; `davies_bouldin` and
    `inertia` keep their usual sign, where lower is better. Inertia, BIC and AIC come from the estimator, if it has
    them, and are of the rows given, which need not be those it was fitted on.

    The silhouette is the mean of `silhouette_values`, those of the rows `silhouette_rows` with the clusters
    `silhouette_labels`: all rows, or a drawn sample of `most_rows`. Without a silhouette these three are empty, and
    `reason` says why.
    """
    drawn = _sample(len(X), seed, most_rows)
    obstacle = _obstacle(labels)
    reason = obstacle or _obstacle(labels[drawn])
    if reason is not None:
        drawn = drawn[:0]
    values = np.zeros(0) if reason else silhouette_samples(X[drawn], labels[drawn])
    return {
        "clusters_found": len(np.unique(labels)),
        "silhouette": None if reason else float(values.mean()),
        "reason": reason,
        "silhouette_values": values,
        "silhouette_labels": labels[drawn],
        "silhouette_rows": drawn,
        "calinski_harabasz": None if obstacle else float(calinski_harabasz_score(X, labels)),
        "davies_bouldin": None if obstacle else float(davies_bouldin_score(X, labels)),
        "inertia": -float(estimator.score(X)) if hasattr(estimator, "inertia_") else None,
        "neg_bic": -float(estimator.bic(X)) if hasattr(estimator, "bic") else None,
        "neg_aic": -float(estimator.aic(X)) if hasattr(estimator, "aic") else None,
    }


def _sample(rows: int, seed: int, most: int) -> NDArray[np.int64]:
    if rows <= most:
        return np.arange(rows)
    return np.sort(np.random.default_rng(seed).choice(rows, most, replace=False))


def _obstacle(labels: NDArray[np.integer[Any]]) -> str | None:
    found = len(np.unique(labels))
    if found < 2:
        return f"{len(labels)} row(s) lie in {found} cluster(s); a comparison needs two"
    if found == len(labels):
        return f"each of the {len(labels)} rows is a cluster of its own"
    return None
