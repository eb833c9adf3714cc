"""Clusterers of the catalogue."""

from __future__ import annotations

from penstock.components.catalog import Entry
from penstock.components.domains import OneOf

_CLUSTERS = OneOf((2, 3, 4, 5, 6, 7, 8), default=3)

ENTRIES = (
    Entry(
        name="k-means",
        kind="clusterer",
        problems=("clustering",),
        library="sklearn.cluster:KMeans",
        # One start, the library's default, often ends in a poor optimum.
        defaults={"n_init": 10},
        rename={"clusters": "n_clusters"},
        space={"clusters": _CLUSTERS, "init": OneOf(("k-means++", "random"), default="k-means++")},
        summary="Round clusters of like size about their means.",
    ),
    Entry(
        name="gaussian-mixture",
        kind="clusterer",
        problems=("clustering",),
        library="sklearn.mixture:GaussianMixture",
        defaults={"n_init": 3, "max_iter": 500},
        rename={"clusters": "n_components"},
        space={
            "clusters": _CLUSTERS,
            "covariance_type": OneOf(("full", "tied", "diag", "spherical"), default="full"),
        },
        syllabus=("cluster-gmm",),
        summary="Elliptic clusters that may overlap, each row with its shares in them.",
    ),
)
