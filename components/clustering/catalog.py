"""Clusterers of the catalogue. Each has `labels_`, `predict` for new rows, and says its rule in `assignment_rule`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from penstock.components.cards import Card
from penstock.components.catalog import Entry
from penstock.components.domains import Float, Int, OneOf

_CLUSTERS = OneOf((2, 3, 4, 5, 6, 7, 8), default=3)
_DISSIMILARITIES = OneOf(
    ("euclidean", "manhattan", "chebyshev", "cosine", "correlation", "gower", "equal-influence"), default="euclidean"
)
_LINKAGES = ("single", "complete", "average", "centroid", "ward")


_CARD = Card(
    form="parametric",
    view="neither",
    output="deterministic",
    shape="non-linear",
    memory="O(n d + K d)",
    time="O(n d K) for each round",
    capacity=("clusters",),
)


def _entry(name: str, class_: str, summary: str, *, count: str | None = "n_clusters", **more: Any) -> Entry:
    """A clusterer of ours; `count` is what its class calls the number of clusters."""
    space = {"clusters": _CLUSTERS} if count else {}
    return Entry(
        name=name,
        kind="clusterer",
        problems=("clustering",),
        library=f"penstock.components.clustering.{class_}",
        rename={"clusters": count} if count else {},
        space={**space, **more.pop("space", {})},
        summary=summary,
        **more,
    )


ENTRIES = (
    _entry(
        "k-means",
        "k_means:KMeans",
        "Round clusters of like size about their means; the best of several starts.",
        space={
            "init": OneOf(
                ("k-means++", "random", "random-partition", "furthest-first", "over-seeded"), default="k-means++"
            )
        },
        syllabus=("cluster-kmeans", "cluster-kmeans-init", "cluster-kmeans-klogk-merge"),
        card=_CARD,
    ),
    _entry(
        "mini-batch-k-means",
        "mini_batch:MiniBatchKMeans",
        "K-means on small random batches: for millions of rows, a little less exact.",
        defaults={"n_init": 3},
        space={"batch_size": OneOf((1024, 4096, 16384), default=1024)},
        card=replace(_CARD, memory="O(b d + K d), b rows of a batch", time="O(b d K) for each batch of b rows"),
    ),
    _entry(
        "k-medoids",
        "k_medoids:KMedoids",
        "As k-means, but each centre is one of the rows and any dissimilarity will do; holds all pairs of rows.",
        space={"dissimilarity": _DISSIMILARITIES},
        syllabus=("cluster-kmedoids",),
        card=replace(_CARD, memory="O(n^2)", time="O(n^2 (d + K)) and rounds of O(n^2)"),
    ),
    _entry(
        "k-medians",
        "k_medians:KMedians",
        "As k-means, with Manhattan distances and medians, which far rows do not move.",
        syllabus=("cluster-kmedians",),
        card=_CARD,
    ),
    _entry(
        "kernel-k-means",
        "kernel_k_means:KernelKMeans",
        "K-means in the space of a kernel, for shapes that are not round; holds all pairs of rows.",
        space={"kernel": OneOf(("gaussian", "polynomial"), default="gaussian")},
        syllabus=("cluster-kernel-kmeans",),
        card=replace(
            _CARD,
            form="non-parametric",
            shape="by its kernel",
            memory="O(n^2)",
            time="O(n^2 d) and rounds of O(n^2)",
            capacity=("clusters", "kernel", "settings"),
        ),
    ),
    _entry(
        "soft-k-means",
        "soft_k_means:SoftKMeans",
        "Every row has a share in each of some round clusters of one given variance.",
        space={"variance": Float(low=0.05, high=10.0, log=True, default=1.0)},
        syllabus=("cluster-soft-kmeans",),
        card=replace(_CARD, view="generative", output="probabilistic", capacity=("clusters", "variance")),
    ),
    _entry(
        "gaussian-mixture",
        "gaussian_mixture:GaussianMixture",
        "Elliptic clusters that may overlap, each row with its shares in them.",
        count="n_components",
        defaults={"n_init": 3, "max_iter": 500},
        space={"covariance_type": OneOf(("full", "tied", "diag", "spherical"), default="full")},
        syllabus=("cluster-gmm", "met_gmm_likelihood"),
        card=replace(
            _CARD,
            view="generative",
            output="probabilistic",
            memory="O(n K + K d^2)",
            time="O(n K d^2) for each round",
            capacity=("clusters", "covariance_type"),
        ),
    ),
    _entry(
        "latent-class",
        "latent_class:LatentClass",
        "A mixture for levels, yes or no and numbers together: each cluster has its own shares and means.",
        space={"numbers": OneOf(("independent", "full"), default="independent")},
        syllabus=("cluster-mixture-general",),
        card=replace(_CARD, view="generative", output="probabilistic", memory="O(n K + K d v), v values of a column"),
    ),
    _entry(
        "gibbs-mixture",
        "gibbs_mixture:GibbsMixture",
        "Round clusters by sampling what the rows allow: shares that say how sure each row's cluster is.",
        syllabus=("cluster-gmm-posterior",),
        card=replace(_CARD, view="generative", output="probabilistic", time="O(n d K) for each sweep"),
    ),
    _entry(
        "dbscan",
        "dbscan:DBSCAN",
        "Dense regions of any shape; rows that stand alone are noise. Finds the number of clusters itself.",
        count=None,
        space={
            "eps": OneOf(("auto", 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2.0, 3.0), default="auto"),
            "min_samples": Int(low=3, high=50, log=True, default=5),
        },
        syllabus=("cluster-dbscan",),
        card=replace(
            _CARD,
            form="non-parametric",
            memory="O(n d) and the pairs nearer than eps",
            time="O(n log n) to O(n^2)",
            capacity=("eps", "min_samples"),
        ),
    ),
    _entry(
        "hdbscan",
        "hdbscan:HDBSCAN",
        "Dense regions of any shape and of differing density; the rest is noise. Finds the number of clusters itself.",
        count=None,
        space={
            "min_cluster_size": Int(low=5, high=200, log=True, default=5),
            "selection": OneOf(("eom", "leaf"), default="eom"),
        },
        card=replace(
            _CARD,
            form="non-parametric",
            memory="O(n d) to O(n^2)",
            time="O(n log n) to O(n^2)",
            capacity=("min_cluster_size", "min_samples"),
        ),
    ),
    _entry(
        "agglomerative",
        "agglomerative:Agglomerative",
        "A tree from below, cut at a number of clusters or at a height; holds all pairs of rows.",
        space={"linkage": OneOf(_LINKAGES, default="ward")},
        syllabus=("cluster-agglomerative",),
        card=replace(
            _CARD,
            form="non-parametric",
            memory="O(n^2)",
            time="O(n^2 d), centroid and ward up to O(n^3)",
            capacity=("clusters", "height", "linkage"),
        ),
    ),
    _entry(
        "bisecting-k-means",
        "bisecting:BisectingKMeans",
        "One cluster, split in two by 2-means again and again: a tree from above.",
        defaults={"n_init": 10},
        space={"bisecting_strategy": OneOf(("biggest_inertia", "largest_cluster"), default="biggest_inertia")},
        syllabus=("cluster-divisive-bisecting",),
        card=replace(_CARD, time="O(n d) for each round of each split"),
    ),
    _entry(
        "k-means-linkage",
        "k_means_linkage:KMeansLinkage",
        "Many small groups by k-means, then a tree over them: any shape, on many rows.",
        space={
            "groups": OneOf((30, 60, 120), default=30),
            "linkage": OneOf(("single", "average", "complete", "ward"), default="single"),
        },
        syllabus=("cluster-kmeans-then-hac",),
        card=replace(
            _CARD,
            form="non-parametric",
            memory="O(n d + g^2), g groups",
            time="O(n d g) for each round and O(g^2)",
            capacity=("clusters", "groups"),
        ),
    ),
    _entry(
        "spectral",
        "spectral:Spectral",
        "Groups that hang together in a graph of neighbours, whatever their shape.",
        space={
            "laplacian": OneOf(("ng-jordan", "unnormalised"), default="ng-jordan"),
            "neighbours": OneOf((5, 10, 20, 40), default=10),
        },
        syllabus=("cluster-spectral",),
        card=replace(
            _CARD,
            form="non-parametric",
            memory="O(n m), m neighbours",
            time="O(n^2 d) for the graph and its K first eigenvectors",
            capacity=("clusters", "neighbours"),
        ),
    ),
    _entry(
        "mean-shift",
        "mean_shift:MeanShift",
        "Peaks of the density; finds the number of clusters itself. Slow above some thousand rows.",
        count=None,
        space={"quantile": OneOf((0.05, 0.1, 0.2, 0.3, 0.5), default=0.3)},
        syllabus=("cluster-mode-seeking",),
        card=replace(
            _CARD,
            form="non-parametric",
            memory="O(n d)",
            time="O(n^2 d) for each round",
            capacity=("bandwidth", "quantile"),
        ),
    ),
    _entry(
        "birch",
        "birch:Birch",
        "Rows summed up in a tree of small groups, these clustered: one pass over very many rows.",
        space={"most_groups": OneOf((500, 2000), default=2000)},
        card=replace(
            _CARD,
            form="non-parametric",
            memory="O(g d), g groups of the tree",
            time="O(n d) with a tree of bounded width",
            capacity=("clusters", "most_groups", "threshold"),
        ),
    ),
)

TRUSTED = (
    "penstock.components.clustering.agglomerative.Agglomerative",
    "penstock.components.clustering.assignment.Assigner",
    "penstock.components.clustering.birch.Birch",
    "penstock.components.clustering.bisecting.BisectingKMeans",
    "penstock.components.clustering.dbscan.DBSCAN",
    "penstock.components.clustering.gaussian_mixture.GaussianMixture",
    "penstock.components.clustering.gibbs_mixture.GibbsMixture",
    "penstock.components.clustering.hdbscan.HDBSCAN",
    "penstock.components.clustering.k_means.KMeans",
    "penstock.components.clustering.k_means_linkage.KMeansLinkage",
    "penstock.components.clustering.k_medians.KMedians",
    "penstock.components.clustering.k_medoids.KMedoids",
    "penstock.components.clustering.kernel_k_means.KernelKMeans",
    "penstock.components.clustering.latent_class.LatentClass",
    "penstock.components.clustering.mean_shift.MeanShift",
    "penstock.components.clustering.mini_batch.MiniBatchKMeans",
    "penstock.components.clustering.soft_k_means.SoftKMeans",
    "penstock.components.clustering.spectral.Spectral",
    "sklearn.cluster._bisect_k_means._BisectingTree",
)
