from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans as LibraryKMeans
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from penstock.components.clustering.k_means import lloyd_keeping
from penstock.components.clustering.starts import (
    STARTS,
    furthest_rows,
    means,
    merge_closest,
    over_seeded,
    random_partition,
    seeds,
)
from penstock.errors import ClusteringError
from tests.components.clustering.conftest import clusterer

pytestmark = pytest.mark.usefixtures("one_thread")


def k_means(**given: Any) -> Any:
    return clusterer("k-means", **given)


@pytest.mark.covers("cluster-kmeans", "proc_kmeans_loop")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # stopped early on purpose
def test_lloyds_steps_and_their_objective() -> None:
    X, _ = make_blobs(60, centers=4, cluster_std=2.0, random_state=1)
    start = X[:3]
    inertias = [
        k_means(clusters=3, init=start, n_init=1, algorithm="lloyd", tol=0.0, max_iter=steps).fit(X).inertia_
        for steps in range(1, 9)
    ]
    assert all(np.diff(inertias) <= 1e-9)

    far = np.vstack([X[:1], [[1e3, 1e3], [-1e3, -1e3]]])
    relocated = k_means(clusters=3, init=far, n_init=1).fit(X)
    assert np.bincount(relocated.labels_, minlength=3).min() > 0
    kept = k_means(clusters=3, init=far, n_init=1, empty="keep").fit(X)
    assert np.bincount(kept.labels_, minlength=3).tolist() == [60, 0, 0]

    best = k_means(clusters=3).fit(X)
    within = 0.0
    for cluster in range(3):
        rows = X[best.labels_ == cluster]
        assert best.cluster_centers_[cluster] == pytest.approx(rows.mean(axis=0))
        within += ((rows[:, None] - rows[None]) ** 2).sum() / len(rows) / 2
    assert within == pytest.approx(best.inertia_, rel=1e-9)


@pytest.mark.covers("proc_kmeans_loop", "ex_kmeans_empty_cluster_rule")
def test_an_empty_cluster_may_keep_its_centre() -> None:
    """ex_kmeans_empty_cluster_rule."""
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [4.0, 4.0], [5.0, 4.0]])
    init = [[0.0, 0.0], [1000.0, 1000.0], [-1000.0, 1000.0]]
    model = k_means(clusters=3, init=np.array(init), n_init=1, empty="keep").fit(X)
    assert np.bincount(model.labels_, minlength=3).tolist() == [6, 0, 0]
    centres = [[1.83333333333, 1.66666666667], [1000.0, 1000.0], [-1000.0, 1000.0]]
    assert model.cluster_centers_ == pytest.approx(np.array(centres), abs=1e-9)
    assert model.predict([[990.0, 990.0]]).tolist() == [1]


@pytest.mark.covers("proc_kmeans_loop", "cl_kmeans_monotone_local_optima")
def test_the_objective_only_falls_and_ends_where_the_start_leads() -> None:
    """cl_kmeans_monotone_local_optima."""
    X, _ = make_blobs(400, centers=9, cluster_std=0.6, random_state=0)
    ends = []
    for seed in range(30):
        start = random_partition(X, 9, np.random.RandomState(seed))
        objective = lloyd_keeping(X, start, 300)[2]
        assert all(np.diff(objective) <= 1e-9)
        ends.append(objective[-1])
    assert max(ends) > 1.05 * min(ends)


@pytest.mark.slow
@pytest.mark.covers("cluster-kmeans-init")
def test_the_starts_of_the_books() -> None:
    line = np.array([[0.0], [1.0], [10.0], [11.0], [20.0]])
    assert line[furthest_rows(line, 3, first=0)].ravel().tolist() == [0.0, 20.0, 10.0]
    X, truth = make_blobs(200, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    for init in ("k-means++", "random", *STARTS):
        model = k_means(clusters=3, init=init).fit(X)
        assert adjusted_rand_score(truth, model.labels_) == 1.0, init
    rng = np.random.RandomState(0)
    rows, groups = 12, 3
    marks = np.eye(rows)
    filled = 0.0
    for seed in range(2000):
        found = random_partition(marks, groups, np.random.RandomState(seed))
        assert np.rint(1 / found.max(axis=1)).sum() == rows  # every row is in one group, and no group is empty
        thrown = np.random.RandomState(seed).randint(groups, size=rows)
        filled += np.array_equal(found, means(marks, thrown, groups)) / 2000
    assert filled == pytest.approx(1 - groups * (1 - 1 / groups) ** rows, abs=0.01)
    few = np.arange(3.0).reshape(-1, 1)
    assert sorted(random_partition(few, 3, rng).ravel()) == [0.0, 1.0, 2.0]  # a group that stays empty gets a row


@pytest.mark.covers("cluster-kmeans-klogk-merge", "ex_klogk_start")
def test_more_centres_merged_are_a_better_start() -> None:
    assert (seeds(10), seeds(2)) == (24, 2)
    merged = merge_closest(np.array([[0.0], [1.0], [9.0]]), np.array([3.0, 1.0, 5.0]), 2)
    assert merged.ravel().tolist() == [0.25, 9.0]
    X, _ = make_blobs(600, centers=10, cluster_std=0.5, random_state=3)
    merged_ends, random_ends = [], []
    for seed in range(20):
        merged_ends.append(k_means(clusters=10, init="over-seeded", n_init=1, seed=seed).fit(X).inertia_)
        random_ends.append(LibraryKMeans(10, init="random", n_init=1, random_state=seed).fit(X).inertia_)
    assert np.mean(merged_ends) == pytest.approx(282.6, abs=0.1)
    assert np.mean(random_ends) == pytest.approx(769.5, abs=0.1)
    assert all(merged <= random + 1e-6 for merged, random in zip(merged_ends, random_ends, strict=True))
    assert over_seeded(X[:12], 10, np.random.RandomState(0)).shape == (10, 2)


@pytest.mark.parametrize(("rows", "code"), [(2, "PEN330"), (6, "PEN332")])
def test_what_cannot_be_clustered_is_said(rows: int, code: str) -> None:
    for name in ("k-means", "k-medoids", "k-medians", "soft-k-means", "agglomerative", "spectral", "birch"):
        with pytest.raises(ClusteringError) as caught:
            clusterer(name, clusters=3).fit(np.ones((rows, 2)))
        assert caught.value.code == code, name
        assert caught.value.remedy
        assert caught.value.exit_status == 3
