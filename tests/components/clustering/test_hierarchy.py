from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from penstock.errors import ClusteringError
from tests.components.clustering.conftest import clusterer

pytestmark = pytest.mark.usefixtures("one_thread")

LINE = np.array([[0.0], [1.0], [3.0], [7.0]])


@pytest.mark.covers("cluster-agglomerative", "proc_hierarchical_workflow", "ex_linkage_heights", "met_linkage")
@pytest.mark.parametrize(
    ("linkage", "heights"),
    [("single", [1.0, 2.0, 4.0]), ("complete", [1.0, 3.0, 7.0]), ("average", [1.0, 2.5, 5.66666666667])],
)
def test_heights_of_four_points(linkage: str, heights: list[float]) -> None:
    """ex_linkage_heights: 6 dissimilarities, 3 merges."""
    for ties in ("first", "random"):
        model = clusterer("agglomerative", clusters=2, linkage=linkage, ties=ties).fit(LINE)
        assert model.merges_[:, 2] == pytest.approx(heights, abs=1e-9)
        assert len(model.merges_) == 3
        assert len(model.measure_.condensed(LINE)) == 6
        assert model.monotone_
        assert model.labels_.tolist() == [0, 0, 0, 1]
        assert set(model.merges_[0, :2]) == {0.0, 1.0}


@pytest.mark.covers("cluster-agglomerative", "proc_hierarchical_workflow", "ex_centroid_linkage_inversion")
def test_centroids_may_merge_lower_again() -> None:
    """ex_centroid_linkage_inversion."""
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.8487]])
    models = {
        linkage: clusterer("agglomerative", clusters=2, linkage=linkage).fit(X)
        for linkage in ("single", "complete", "average", "centroid")
    }
    assert models["centroid"].merges_[:, 2] == pytest.approx([0.98503385221, 0.861726709868], abs=1e-6)
    assert [model.monotone_ for model in models.values()] == [True, True, True, False]
    assert len(set(models["centroid"].labels_.tolist())) == 2


@pytest.mark.covers("proc_hierarchical_workflow")
@pytest.mark.parametrize("linkage", ["single", "complete", "average", "ward"])
def test_the_same_clusters_as_the_library(linkage: str) -> None:
    X, _ = make_blobs(80, centers=3, random_state=2)
    ours = clusterer("agglomerative", clusters=3, linkage=linkage).fit(X)
    theirs = AgglomerativeClustering(3, linkage=linkage).fit(X)
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0
    height = (ours.merges_[-3, 2] + ours.merges_[-2, 2]) / 2
    by_height = clusterer("agglomerative", height=height, linkage=linkage).fit(X)
    assert by_height.labels_.tolist() == ours.labels_.tolist()
    assert by_height.n_clusters_ == 3
    assert ours.predict(X).tolist() == ours.labels_.tolist()


@pytest.mark.covers("proc_hierarchical_workflow", "cl_single_link_chaining")
def test_single_linkage_chains() -> None:
    """cl_single_link_chaining."""
    rng = np.random.default_rng(0)
    bridge = np.column_stack([np.linspace(2.0, 6.0, 9), np.zeros(9)])
    X = np.concatenate([rng.normal((0, 0), 1.0, (60, 2)), rng.normal((8, 0), 1.0, (60, 2)), bridge])
    truth = np.repeat([0, 1], 60)

    def found(linkage: str) -> float:
        labels = clusterer("agglomerative", clusters=2, linkage=linkage).fit(X).labels_
        return float(adjusted_rand_score(truth, labels[:120]))

    assert found("single") < 0.1
    assert found("average") > 0.9
    assert found("complete") > 0.9


def test_linkage_by_means_needs_means() -> None:
    with pytest.raises(ClusteringError) as caught:
        clusterer("agglomerative", linkage="ward", dissimilarity="cosine").fit(np.eye(4))
    assert caught.value.code == "PEN337"
    assert "single, complete or average" in caught.value.remedy
