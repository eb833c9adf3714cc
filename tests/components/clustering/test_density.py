"""DBSCAN, HDBSCAN, mean shift, spectral clustering and BIRCH."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from sklearn.datasets import make_circles, make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import kneighbors_graph

from penstock.components.clustering import spectral
from penstock.components.clustering.spectral import laplacian, lowest_eigenvectors
from tests.components.clustering.conftest import clusterer

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.covers("cluster-dbscan", "proc_dbscan_loop")
def test_core_border_and_noise() -> None:
    model = clusterer("dbscan", eps=1.0, min_samples=3).fit([[0.0], [1.0], [2.0], [3.0], [10.0]])
    assert model.core_sample_indices_.tolist() == [1, 2]
    assert model.labels_.tolist() == [0, 0, 0, 0, -1]
    # A new row needs a core row within reach, the reach included; border rows take none in.
    assert model.predict([[0.0], [3.0], [3.5], [10.0]]).tolist() == [0, 0, -1, -1]


@pytest.mark.covers("proc_dbscan_loop", "ex_dbscan_point_types", "met_dbscan_types")
def test_the_ball_is_closed_and_a_row_counts_itself() -> None:
    """ex_dbscan_point_types."""
    X = np.array([[0, 0], [1, 0], [0, 1], [1, 1], [2, 1], [3, 1], [9, 9]], dtype=float)
    model = clusterer("dbscan", eps=1.0, min_samples=3).fit(X)
    assert model.core_sample_indices_.tolist() == [0, 1, 2, 3, 4]
    assert model.labels_.tolist() == [0, 0, 0, 0, 0, 0, -1]


@pytest.mark.covers("proc_dbscan_loop", "cl_kmeans_vs_dbscan")
def test_any_shape_but_one_density() -> None:
    """cl_kmeans_vs_dbscan."""
    X, truth = make_moons(300, noise=0.05, random_state=0)
    assert adjusted_rand_score(truth, clusterer("k-means", clusters=2).fit(X).labels_) < 0.5
    assert adjusted_rand_score(truth, clusterer("dbscan", eps=0.2, min_samples=5).fit(X).labels_) > 0.98
    rng = np.random.default_rng(0)
    dense = [rng.normal((x, 0), 0.12, (100, 2)) for x in (0.0, 0.9)]
    X = np.concatenate([*dense, rng.normal((8, 0), 1.5, (60, 2))])
    truth = np.repeat([0, 1, 2], [100, 100, 60])
    best = 0.0
    for eps in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1.0, 1.5):
        labels = clusterer("dbscan", eps=eps, min_samples=5).fit(X).labels_
        alone = np.where(labels < 0, np.arange(len(labels)) + 1000, labels)
        best = max(best, adjusted_rand_score(truth, alone))
        apart = {*labels[:100]} - {-1}, {*labels[100:200]} - {-1}
        if all(apart) and not (apart[0] & apart[1]):
            assert (labels[200:] < 0).mean() > 0.9
    assert best < 0.9


def test_the_width_that_the_data_give() -> None:
    X, truth = make_moons(300, noise=0.05, random_state=0)
    model = clusterer("dbscan").fit(X)
    assert adjusted_rand_score(truth, model.labels_) > 0.9
    assert 0.05 < model.eps_ < 0.4


def test_all_noise_is_no_clustering() -> None:
    X = np.random.default_rng(0).normal(size=(50, 2))
    model = clusterer("dbscan", eps=1e-6).fit(X)
    assert set(model.predict(X)) == {-1}
    nothing = clusterer("hdbscan", min_cluster_size=40).fit(X)
    assert set(nothing.predict(X)) == {-1}


def test_new_rows_of_hdbscan() -> None:
    X, truth = make_moons(300, noise=0.05, random_state=0)
    model = clusterer("hdbscan").fit(X)
    inside = model.labels_ >= 0
    assert adjusted_rand_score(truth[inside], model.labels_[inside]) > 0.98
    assert model.predict(X)[inside].tolist() == model.labels_[inside].tolist()
    assert model.predict([[5.0, 5.0]]).tolist() == [-1]


@pytest.mark.covers("cluster-mode-seeking")
def test_peaks_of_the_density() -> None:
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, 150), rng.normal(10, 1, 150)]).reshape(-1, 1)
    model = clusterer("mean-shift", bandwidth=2.0).fit(X)
    assert np.sort(model.cluster_centers_.ravel()) == pytest.approx([0.0, 10.0], abs=0.3)
    assert model.predict([[-3.0], [14.0]]).tolist() == model.predict([[0.0], [10.0]]).tolist()
    assert len(clusterer("mean-shift").fit(X).cluster_centers_) == 2


@pytest.mark.covers("cluster-spectral", "proc_spectral_clustering_stages")
def test_rings_by_their_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    X, truth = make_circles(300, factor=0.5, noise=0.04, random_state=0)
    for kind in ("ng-jordan", "unnormalised"):
        model = clusterer("spectral", clusters=2, neighbours=10, laplacian=kind).fit(X)
        assert adjusted_rand_score(truth, model.labels_) == 1.0
        assert model.predict(X).tolist() == model.labels_.tolist()
    assert np.abs(np.linalg.norm(clusterer("spectral", clusters=2).fit(X).embedding_, axis=1) - 1).max() < 1e-9
    monkeypatch.setattr(spectral, "DENSE", 10)  # as for many rows
    assert adjusted_rand_score(truth, clusterer("spectral", clusters=2).fit(X).labels_) == 1.0

    graph = kneighbors_graph(X, 10, include_self=False).toarray()
    graph = (graph + graph.T) / 2
    walk = np.sort(np.linalg.eigvals(laplacian(graph, normed=False) / graph.sum(axis=0)).real)
    even = np.linalg.eigvalsh(laplacian(graph, normed=True))
    assert walk == pytest.approx(even, abs=1e-12)


@pytest.mark.covers("proc_spectral_clustering_stages", "ex_fiedler_two_triangles")
def test_the_fiedler_vector_cuts_one_edge() -> None:
    """ex_fiedler_two_triangles; and there are as many zero eigenvalues as components."""
    edges = [(1, 2), (1, 3), (2, 3), (3, 4), (4, 5), (4, 6), (5, 6)]
    graph = nx.to_numpy_array(nx.Graph(edges), nodelist=range(1, 7))
    values = np.linalg.eigvalsh(laplacian(graph, normed=False))
    assert values[1] == pytest.approx(0.438447187191, abs=1e-6)
    assert values[1] * 3 * 3 / 6 == pytest.approx(0.657670780787, abs=1e-6)
    side = lowest_eigenvectors(graph, 2, normed=False)[:, 1] > 0
    assert side.tolist() in ([True] * 3 + [False] * 3, [False] * 3 + [True] * 3)
    assert graph[np.ix_(side, ~side)].sum() == 1.0
    model = clusterer("spectral", clusters=2, affinity="precomputed", laplacian="unnormalised").fit(graph)
    assert adjusted_rand_score(side, model.labels_) == 1.0
    assert model.predict(graph).shape == (6,)
    graph[2, 3] = graph[3, 2] = 0
    for normed in (False, True):
        assert int((np.linalg.eigvalsh(laplacian(graph, normed)) < 1e-10).sum()) == 2


@pytest.mark.slow
def test_the_groups_of_birch_stay_few() -> None:
    X = np.random.default_rng(0).normal(size=(3000, 5)) + np.repeat([[0.0], [9.0]], 1500, axis=0)
    model = clusterer("birch", clusters=2, most_groups=100).fit(X)
    assert len(model.group_centers_) <= 100
    assert adjusted_rand_score(np.repeat([0, 1], 1500), model.labels_) == 1.0
    wide = clusterer("birch", clusters=4, threshold=1e4).fit(X)
    assert len(set(wide.labels_.tolist())) == 4  # a threshold too wide for four groups is narrowed


def test_noise_can_go_to_the_nearest_cluster() -> None:
    X, truth = make_moons(200, noise=0.05, random_state=0)
    X = np.vstack([X, [[0.0, 3.0], [1.0, -3.0]]])
    apart, nearest = (clusterer("hdbscan", min_cluster_size=10, noise=noise).fit(X) for noise in ("apart", "nearest"))
    assert apart.labels_[-2:].tolist() == [-1, -1]
    assert apart.predict([[0.0, 9.0]]).tolist() == [-1]
    assert (nearest.labels_ >= 0).all()
    assert nearest.labels_[-2:].tolist() == nearest.predict([[0.0, 9.0], [1.0, -9.0]]).tolist()
    assert adjusted_rand_score(truth, nearest.labels_[:200]) > 0.98
    inside = apart.labels_ >= 0
    assert np.array_equal(apart.labels_[inside], nearest.labels_[inside])
