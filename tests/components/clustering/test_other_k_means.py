"""K-medians, kernel k-means, soft k-means, and the two-stage methods."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel

from penstock.components.clustering.kernel_k_means import squared_distances
from penstock.components.clustering.soft_k_means import shares, weighted_means
from tests.components.clustering.conftest import clusterer

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.covers("cluster-kmedians")
def test_a_far_row_does_not_move_a_median() -> None:
    X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [30.0]])
    start = np.array([[0.0], [10.0]])
    model = clusterer("k-medians", clusters=2, init=start).fit(X)
    assert model.cluster_centers_.ravel().tolist() == [1.0, 11.0]
    assert model.inertia_ == 22.0
    means = clusterer("k-means", clusters=2, init=start, n_init=1).fit(X)
    assert means.cluster_centers_[1, 0] == 17.0
    assert clusterer("k-medians", clusters=2).fit(X).inertia_ <= 22.0


@pytest.mark.covers("cluster-kernel-kmeans", "proc_kernel_kmeans_loop", "ex_kernel_kmeans_distance")
def test_the_third_term_is_the_mean_over_pairs() -> None:
    """ex_kernel_kmeans_distance: the printed third term would give 15."""
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [3.0, 3.0]])
    gram = X @ X.T
    found = squared_distances(gram, np.array([0, 0, 0, 1]), 2)
    assert found[3, 0] == pytest.approx(12.5555555556, abs=1e-9)
    assert gram[3, 3] - 2 * gram[3, :3].mean() + gram[:3, 3].mean() == pytest.approx(15.0)
    rng = np.random.default_rng(0)
    rows, labels = rng.normal(size=(40, 3)), rng.integers(3, size=40)
    centres = np.array([rows[labels == one].mean(axis=0) for one in range(3)])
    explicit = ((rows[:, None] - centres[None]) ** 2).sum(axis=2)
    gram = rows @ rows.T
    assert np.abs(squared_distances(gram, labels, 3) - explicit).max() < 1e-13
    printed = np.diag(gram)[:, None] - np.array([gram[:, labels == one].mean(axis=1) for one in range(3)]).T
    assert np.abs(printed - explicit).max() > 0.3
    # With the linear kernel it is k-means: the same objective from the same partition.
    settings = {"degree": 1, "constant": 0.0}
    model = clusterer("kernel-k-means", clusters=3, kernel="polynomial", settings=settings).fit(rows)
    start = np.array([rows[model.labels_ == one].mean(axis=0) for one in range(3)])
    plain = clusterer("k-means", clusters=3, init=start, n_init=1).fit(rows)
    assert model.inertia_ == pytest.approx(plain.inertia_, rel=1e-13)
    assert model.labels_.tolist() == plain.labels_.tolist()


@pytest.mark.covers("cluster-kernel-kmeans")
def test_rings_in_the_space_of_a_kernel() -> None:
    X, truth = make_circles(200, factor=0.3, noise=0.05, random_state=0)
    model = clusterer("kernel-k-means", clusters=2, settings={"gamma": 5.0}, n_init=50).fit(X)
    assert model.inertia_ == pytest.approx(138.961, abs=1e-3)
    assert adjusted_rand_score(truth, model.labels_) == 1.0
    assert model.predict(X).tolist() == model.labels_.tolist()
    given = clusterer("kernel-k-means", clusters=2, kernel="precomputed", n_init=50).fit(rbf_kernel(X, gamma=5.0))
    assert given.labels_.tolist() == model.labels_.tolist()


@pytest.mark.covers("proc_kernel_kmeans_loop", "cl_kernel_kmeans_rings")
def test_the_width_decides_whether_rings_are_seen() -> None:
    """cl_kernel_kmeans_rings."""
    X, truth = make_circles(300, factor=0.3, noise=0.05, random_state=0)

    def found(width: float) -> float:
        model = clusterer("kernel-k-means", clusters=2, settings={"width": width}, n_init=10).fit(X)
        return float(adjusted_rand_score(truth, model.labels_))

    assert found(0.4) > 0.95
    assert abs(found(1.0)) < 0.1
    assert abs(adjusted_rand_score(truth, clusterer("k-means", clusters=2).fit(X).labels_)) < 0.1


@pytest.mark.covers("cluster-soft-kmeans", "proc_em_loop", "ex_soft_kmeans_step")
def test_a_step_of_soft_k_means() -> None:
    """ex_soft_kmeans_step."""
    X, centres = np.array([[0.0], [1.0], [4.0]]), np.array([[0.0], [4.0]])
    weights = shares(X, centres)[0]
    expected = [
        [0.99966464987, 0.000335350130466],
        [0.982013790038, 0.0179862099621],
        [0.000335350130466, 0.99966464987],
    ]
    assert weights == pytest.approx(np.array(expected), abs=1e-9)
    assert weighted_means(X, weights).ravel() == pytest.approx([0.496139429252, 3.94567703387], abs=1e-9)


@pytest.mark.covers("cluster-soft-kmeans")
def test_the_fixed_point_of_two_rows() -> None:
    """The centres end at +-m with m = a tanh(a m); below a = 1 the variance cannot tell them apart."""
    far = clusterer("soft-k-means", clusters=2, init=[[-1.0], [1.5]], tol=1e-12).fit([[-2.0], [2.0]])
    assert np.sort(far.cluster_centers_.ravel()) == pytest.approx([-1.9986513, 1.9986513], abs=1e-7)
    near = clusterer("soft-k-means", clusters=2, init=[[-0.3], [0.5]], tol=1e-12).fit([[-0.9], [0.9]])
    assert near.cluster_centers_.ravel() == pytest.approx([0.0, 0.0], abs=1e-5)
    assert far.predict_proba([[2.0]]).sum() == pytest.approx(1.0)
    assert far.predict([[-3.0], [3.0]]).tolist() == far.labels_.tolist()


@pytest.mark.covers("cluster-kmeans-then-hac", "proc_kmeans_then_single_link")
def test_many_groups_and_a_tree_find_moons() -> None:
    X, truth = make_moons(400, noise=0.05, random_state=0)
    model = clusterer("k-means-linkage", clusters=2, groups=30).fit(X)
    assert adjusted_rand_score(truth, model.labels_) == 1.0
    assert len(model.group_centers_) == 30
    assert model.predict(X).tolist() == model.labels_.tolist()
    plain = clusterer("k-means", clusters=2).fit(X)
    assert adjusted_rand_score(truth, plain.labels_) == pytest.approx(0.274, abs=0.02)


@pytest.mark.covers("cluster-divisive-bisecting")
def test_a_tree_from_above() -> None:
    X, truth = make_blobs(120, centers=[[0, 0], [10, 0], [0, 10], [10, 10]], cluster_std=0.4, random_state=0)
    trees = set()
    best = clusterer("k-means", clusters=4, n_init=50).fit(X).inertia_
    for seed in range(20):
        model = clusterer("bisecting-k-means", clusters=4, n_init=1, init="random", seed=seed).fit(X)
        assert adjusted_rand_score(truth, model.labels_) == 1.0
        assert model.inertia_ >= best - 1e-9
        first = clusterer("bisecting-k-means", clusters=2, n_init=1, init="random", seed=seed).fit(X).labels_
        trees.add(frozenset(frozenset(truth[first == side].tolist()) for side in (0, 1)))
    assert len(trees) > 1  # the first split may go either way: the tree is not unique
