"""How well clusters meet groups that are known. Works for unequal numbers of clusters and groups; -1 is noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict
from scipy.stats import entropy
from sklearn.metrics import (
    adjusted_mutual_info_score,
    adjusted_rand_score,
    homogeneity_completeness_v_measure,
    mutual_info_score,
    rand_score,
)
from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information, pair_confusion_matrix

from penstock.errors import DataError

AMI_NORMALISER = "max"


class Pairs(BaseModel):
    """Pairs of rows: together in both, in the clusters alone, in the groups alone, in neither."""

    model_config = ConfigDict(frozen=True)

    both: int
    cluster_only: int
    group_only: int
    neither: int


class ExternalScores(BaseModel):
    """Greater is better for all but the noise share; entropies and information are in nats.

    `purity` weighs clusters by size, `purity_unweighted` does not; `inverse_purity` asks the other way round, how much
    of each group lies in one cluster. `adjusted_mutual_information` divides by the larger entropy (`ami_normaliser`).
    Noise counts as a cluster of its own. A score that needs a pair which is not there is None.
    """

    model_config = ConfigDict(frozen=True)

    rows: int
    without_group: int
    clusters: int
    groups: int
    noise_share: float
    purity: float
    purity_unweighted: float
    inverse_purity: float
    pairs: Pairs
    rand: float
    pair_precision: float | None
    pair_recall: float | None
    adjusted_rand: float
    mutual_information: float
    expected_mutual_information: float
    entropy_of_clusters: float
    entropy_of_groups: float
    adjusted_mutual_information: float
    ami_normaliser: str = AMI_NORMALISER
    homogeneity: float
    completeness: float
    v_measure: float


def external_scores(labels: Any, truth: Any) -> ExternalScores:
    """All external scores of `labels` against the groups `truth`; rows without a group are left out, and counted."""
    clusters, groups, without = _matched(labels, truth)
    table = contingency_matrix(groups, clusters).T
    sizes = table.sum(axis=1)
    pairs = _pairs(groups, clusters)
    homogeneity, completeness, v_measure = homogeneity_completeness_v_measure(groups, clusters)
    return ExternalScores(
        rows=len(clusters),
        without_group=without,
        clusters=int(np.sum(np.unique(clusters) != -1)),
        groups=table.shape[1],
        noise_share=float(np.mean(clusters == -1)),
        purity=float(table.max(axis=1).sum() / len(clusters)),
        purity_unweighted=float((table.max(axis=1) / sizes).mean()),
        inverse_purity=float(table.max(axis=0).sum() / len(clusters)),
        pairs=pairs,
        rand=float(rand_score(groups, clusters)),
        pair_precision=_share(pairs.both, pairs.cluster_only),
        pair_recall=_share(pairs.both, pairs.group_only),
        adjusted_rand=float(adjusted_rand_score(groups, clusters)),
        mutual_information=float(mutual_info_score(groups, clusters)),
        expected_mutual_information=float(
            expected_mutual_information(contingency_matrix(groups, clusters, sparse=True), len(clusters))
        ),
        entropy_of_clusters=float(entropy(sizes)),
        entropy_of_groups=float(entropy(table.sum(axis=0))),
        adjusted_mutual_information=float(adjusted_mutual_info_score(groups, clusters, average_method=AMI_NORMALISER)),
        homogeneity=float(homogeneity),
        completeness=float(completeness),
        v_measure=float(v_measure),
    )


def _matched(labels: Any, truth: Any) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Clusters and codes of groups, of the rows that have a group."""
    clusters, groups = np.asarray(labels), pd.Series(truth)
    if len(clusters) != len(groups):
        raise ValueError(f"{len(clusters)} labels for {len(groups)} rows")
    known = groups.notna().to_numpy()
    if not known.any():
        raise DataError(
            "PEN353",
            f"none of the {len(groups)} rows has a known group",
            where="external scores",
            remedy="name a column that has values, or leave the target out: clustering does not need one",
        )
    return clusters[known].astype(np.int64), pd.factorize(groups[known])[0], int((~known).sum())


def _pairs(groups: NDArray[np.int64], clusters: NDArray[np.int64]) -> Pairs:
    # scikit-learn counts every pair twice, in both orders.
    (neither, cluster_only), (group_only, both) = pair_confusion_matrix(groups, clusters) // 2
    return Pairs(both=int(both), cluster_only=int(cluster_only), group_only=int(group_only), neither=int(neither))


def _share(part: int, rest: int) -> float | None:
    return part / (part + rest) if part + rest else None
