"""Scores of a clustering by the rows alone."""

from __future__ import annotations

from pydantic import BaseModel

from penstock.components.evaluation.intervals import Interval


class ClusterScores(BaseModel):
    """Internal scores of a clustering, and how stable it is under resampling: as a whole, and each cluster."""

    clusters_found: int
    noise_share: float
    silhouette: float | None
    silhouette_with_noise: float | None
    reason: str | None
    calinski_harabasz: float | None
    davies_bouldin: float | None
    density_validity: float | None
    within: float
    between: float
    inertia: float | None
    neg_bic: float | None
    neg_aic: float | None
    stability: Interval
    by_cluster: dict[int, Interval]
