from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, pairwise_distances

from penstock.components.clustering.k_medoids import alternate
from penstock.errors import ClusteringError
from tests.components.clustering.conftest import clusterer

pytestmark = pytest.mark.usefixtures("one_thread")

LINE = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0], [25.0]])


@pytest.mark.covers("cluster-kmedoids", "proc_kmedoids_loop")
def test_restarts_reach_the_optimum_that_single_starts_miss() -> None:
    apart = pairwise_distances(LINE, metric="manhattan")
    ends = {alternate(apart, np.array(start), 100)[2] for start in np.ndindex(7, 7) if start[0] < start[1]}
    assert min(ends) == 18.0
    assert 30.0 in ends
    model = clusterer("k-medoids", clusters=2).fit(LINE)
    assert model.inertia_ == 18.0
    assert sorted(model.medoids_.ravel()) == [1.0, 11.0]
    assert model.labels_.tolist() == model.predict(LINE).tolist()
    assert model.medoids_[model.predict([[-5.0], [30.0]])].ravel().tolist() == [1.0, 11.0]


@pytest.mark.covers("proc_kmedoids_loop", "cl_kmedoids_outliers")
def test_one_far_row_does_not_move_medoids() -> None:
    """cl_kmedoids_outliers."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (40, 2)), rng.normal(6, 1, (40, 2)), [[120.0, 120.0]]])
    truth = np.repeat([0, 1], 40)
    medoids = clusterer("k-medoids", clusters=2, dissimilarity="manhattan", n_init=20).fit(X)
    means = clusterer("k-means", clusters=2, n_init=20).fit(X)
    assert adjusted_rand_score(truth, medoids.labels_[:80]) > 0.95
    assert adjusted_rand_score(truth, means.labels_[:80]) < 0.1


@pytest.mark.covers("dissim-precomputed")
def test_a_matrix_of_dissimilarities_does_as_well_as_the_rows() -> None:
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.normal(0, 1, (20, 2)), rng.normal(8, 1, (20, 2))])
    new = rng.normal(4, 4, (10, 2))
    apart, to_new = pairwise_distances(X), pairwise_distances(new, X)
    for name in ("k-medoids", "agglomerative", "dbscan", "hdbscan"):
        given = {} if name in ("dbscan", "hdbscan") else {"clusters": 2}
        from_rows = clusterer(name, **given).fit(X)
        from_matrix = clusterer(name, **given, dissimilarity="precomputed").fit(apart)
        assert from_matrix.labels_.tolist() == from_rows.labels_.tolist(), name
        assert from_matrix.predict(to_new).tolist() == from_rows.predict(new).tolist(), name


@pytest.mark.parametrize(
    ("matrix", "code"),
    [
        ([[0.0, 1.0, 2.0], [1.0, 0.0, 2.0]], "PEN223"),
        ([[0.0, np.nan], [np.nan, 0.0]], "PEN224"),
        ([[0.0, -1.0], [-1.0, 0.0]], "PEN225"),
        ([[0.5, 1.0], [1.0, 0.0]], "PEN226"),
        ([[0.0, 1.0], [3.0, 0.0]], "PEN334"),
    ],
)
def test_a_matrix_that_is_none_of_dissimilarities_is_refused(matrix: list[list[float]], code: str) -> None:
    with pytest.raises(ClusteringError) as caught:
        clusterer("k-medoids", clusters=2, dissimilarity="precomputed").fit(np.array(matrix))
    assert caught.value.code == code
    assert caught.value.remedy


def test_equal_rows_leave_no_cluster_empty() -> None:
    X = np.repeat([[0.0, 0.0], [5.0, 5.0]], 10, axis=0)
    model = clusterer("k-medoids", clusters=4).fit(X)
    assert np.bincount(model.labels_).min() > 0
    assert model.inertia_ == 0.0
