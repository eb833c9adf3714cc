"""How well separated the clusters are, seen from the rows alone. Label -1 is noise: no cluster."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import calinski_harabasz_score, davies_bouldin_score, silhouette_samples

from penstock.components.structure.validity import density_validity


def internal_scores(
    X: NDArray[np.float64],
    labels: NDArray[np.integer[Any]],
    *,
    estimator: Any = None,
    seed: int,
    most_rows: int = 2000,
) -> dict[str, Any]:
    """Scores of one clustering of the rows of X. A score that these rows cannot give is None.

    Greater is better for `silhouette`, `calinski_harabasz`, `density_validity` and whatever starts with `neg_`;
    `davies_bouldin` and `inertia` keep their usual sign, where lower is better. Inertia, BIC and AIC come from the
    estimator, if it has them, and are of the rows given, which need not be those it was fitted on. `within` and
    `between` are the sums of squared distances over pairs of rows in one cluster and in two.

    Noise is in no cluster and is left out. So that a method cannot gain by leaving rows out, `silhouette_with_noise`
    counts them as 0, as `density_validity` does.

    The silhouette is the mean of `silhouette_values`, those of the rows `silhouette_rows` with the clusters
    `silhouette_labels`: all clustered rows, or those in a drawn sample of `most_rows`. Without a silhouette these three
    are empty, and `reason` says why.
    """
    clustered = labels >= 0
    inside, own = X[clustered], labels[clustered]
    sample = _sample(len(X), seed, most_rows)
    drawn = sample[clustered[sample]]
    obstacle = _obstacle(own)
    reason = obstacle or _obstacle(labels[drawn])
    if reason is not None:
        drawn = drawn[:0]
    values = np.zeros(0) if reason else silhouette_samples(X[drawn], labels[drawn])
    within, between = _pair_sums(inside, own)
    return {
        "clusters_found": len(np.unique(own)),
        "noise_share": float(1 - clustered.mean()),
        "silhouette": None if reason else float(values.mean()),
        "silhouette_with_noise": None if reason else float(values.sum() / len(sample)),
        "reason": reason,
        "silhouette_values": values,
        "silhouette_labels": labels[drawn],
        "silhouette_rows": drawn,
        "calinski_harabasz": None if obstacle else float(calinski_harabasz_score(inside, own)),
        "davies_bouldin": None if obstacle else float(davies_bouldin_score(inside, own)),
        "density_validity": None if reason else density_validity(X[sample], labels[sample]),
        "within": within,
        "between": between,
        "inertia": _inertia(estimator, X),
        "neg_bic": -float(estimator.bic(X)) if hasattr(estimator, "bic") else None,
        "neg_aic": -float(estimator.aic(X)) if hasattr(estimator, "aic") else None,
    }


def _inertia(estimator: Any, X: NDArray[np.float64]) -> float | None:
    """Of methods that can tell it of any rows; others know that of the rows that they were fitted on alone."""
    tells = hasattr(estimator, "inertia_") and hasattr(estimator, "score")
    return -float(estimator.score(X)) if tells else None


def _sample(rows: int, seed: int, most: int) -> NDArray[np.int64]:
    if rows <= most:
        return np.arange(rows)
    return np.sort(np.random.default_rng(seed).choice(rows, most, replace=False))


def _pair_sums(X: NDArray[np.float64], labels: NDArray[np.integer[Any]]) -> tuple[float, float]:
    """Squared Euclidean distances over pairs, without the pairs: n times the squares about the mean of n rows."""
    within = sum(_pair_sum(X[labels == cluster]) for cluster in np.unique(labels))
    return within, max(_pair_sum(X) - within, 0.0)


def _pair_sum(X: NDArray[np.float64]) -> float:
    return len(X) * float(((X - X.mean(axis=0)) ** 2).sum()) if len(X) else 0.0


def _obstacle(labels: NDArray[np.integer[Any]]) -> str | None:
    found = len(np.unique(labels))
    if found < 2:
        return f"{len(labels)} row(s) lie in {found} cluster(s); a comparison needs two"
    if found == len(labels):
        return f"each of the {len(labels)} rows is a cluster of its own"
    return None
