"""Clusterers of ours against scikit-learn's, or alone where no library has the method."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from sklearn import cluster, mixture
from sklearn.datasets import make_blobs
from stepmix.stepmix import StepMix

from benchmarks.estimators.pairs import Pair
from penstock.components.clustering.agglomerative import Agglomerative
from penstock.components.clustering.birch import Birch
from penstock.components.clustering.bisecting import BisectingKMeans
from penstock.components.clustering.dbscan import DBSCAN
from penstock.components.clustering.gaussian_mixture import GaussianMixture
from penstock.components.clustering.gibbs_mixture import GibbsMixture
from penstock.components.clustering.hdbscan import HDBSCAN
from penstock.components.clustering.k_means import KMeans
from penstock.components.clustering.k_means_linkage import KMeansLinkage
from penstock.components.clustering.k_medians import KMedians
from penstock.components.clustering.k_medoids import KMedoids
from penstock.components.clustering.kernel_k_means import KernelKMeans
from penstock.components.clustering.latent_class import LatentClass
from penstock.components.clustering.mean_shift import MeanShift
from penstock.components.clustering.mini_batch import MiniBatchKMeans
from penstock.components.clustering.soft_k_means import SoftKMeans
from penstock.components.clustering.spectral import Spectral
from penstock.components.clustering.starts import seeds

FIXED: dict[str, Any] = {"random_state": 0}
WIDE = 2.0


def _blobs(rows: int, columns: int) -> tuple[Any, Any]:
    X, _ = make_blobs(rows, columns, centers=5, cluster_std=1.5, random_state=0)
    return X, None


def _levels(rows: int, columns: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    likely = rng.uniform(0.1, 0.9, size=(5, columns))
    return (rng.random((rows, columns)) < likely[rng.integers(5, size=rows)]).astype(float), None


def _agglomerative(linkage: str) -> Pair:
    return Pair(
        f"agglomerative, {linkage}",
        partial(Agglomerative, 5, linkage=linkage),
        partial(cluster.AgglomerativeClustering, 5, linkage=linkage),
        _blobs,
        rows=500,
    )


PAIRS = (
    Pair("k-means, k-means++", partial(KMeans, 5, **FIXED), partial(cluster.KMeans, 5, n_init=10, **FIXED), _blobs),
    *(
        Pair(
            f"k-means, {init}",
            partial(KMeans, 5, init=init, **FIXED),
            partial(cluster.KMeans, 5, init="random", n_init=10, **FIXED),
            _blobs,
        )
        for init in ("random-partition", "furthest-first")
    ),
    # The start is a whole k-means of more centres; what follows it is short.
    Pair(
        "k-means, over-seeded",
        partial(KMeans, 5, init="over-seeded", **FIXED),
        partial(cluster.KMeans, seeds(5), init="random", n_init=10, **FIXED),
        _blobs,
    ),
    Pair(
        "mini-batch-k-means",
        partial(MiniBatchKMeans, 5, n_init=3, **FIXED),
        partial(cluster.MiniBatchKMeans, 5, n_init=3, **FIXED),
        _blobs,
    ),
    Pair(
        "bisecting-k-means", partial(BisectingKMeans, 5, **FIXED), partial(cluster.BisectingKMeans, 5, **FIXED), _blobs
    ),
    Pair("k-medians", partial(KMedians, 5, n_init=3, **FIXED), None, _blobs),
    Pair("k-medoids", partial(KMedoids, 5, n_init=3, **FIXED), None, _blobs, rows=500),
    Pair("kernel-k-means", partial(KernelKMeans, 5, n_init=3, **FIXED), None, _blobs, rows=500),
    Pair(
        "soft-k-means",
        partial(SoftKMeans, 5, variance=2.0, n_init=3, **FIXED),
        partial(mixture.GaussianMixture, 5, covariance_type="spherical", n_init=3, tol=1e-6, max_iter=1000, **FIXED),
        _blobs,
    ),
    Pair(
        "gaussian-mixture",
        partial(GaussianMixture, 5, **FIXED),
        partial(mixture.GaussianMixture, 5, **FIXED),
        _blobs,
    ),
    Pair(
        "latent-class",
        partial(LatentClass, 5, n_init=1, **FIXED),
        partial(StepMix, 5, measurement="binary", n_init=1, progress_bar=0, **FIXED),
        _levels,
    ),
    Pair("gibbs-mixture", partial(GibbsMixture, 5, sweeps=50, **FIXED), None, _blobs, rows=500),
    Pair("dbscan", partial(DBSCAN, WIDE), partial(cluster.DBSCAN, WIDE), _blobs),
    Pair("hdbscan", partial(HDBSCAN, 20), partial(cluster.HDBSCAN, 20, copy=True), _blobs, rows=500),
    *(_agglomerative(linkage) for linkage in ("single", "complete", "average", "ward")),
    Pair("k-means-linkage", partial(KMeansLinkage, 5, **FIXED), None, _blobs),
    Pair(
        "spectral",
        partial(Spectral, 5, **FIXED),
        partial(cluster.SpectralClustering, 5, affinity="nearest_neighbors", **FIXED),
        _blobs,
        rows=500,
    ),
    Pair(
        "mean-shift",
        partial(MeanShift, 6.0, **FIXED),
        partial(cluster.MeanShift, bandwidth=6.0, bin_seeding=True),
        _blobs,
        rows=500,
    ),
    Pair(
        "birch", partial(Birch, 5, threshold=2.0, **FIXED), partial(cluster.Birch, threshold=2.0, n_clusters=5), _blobs
    ),
)
