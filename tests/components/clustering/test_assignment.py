from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from penstock.components.clustering.assignment import Assigner
from penstock.components.trust import trusted_types
from penstock.store import dump_estimator, read_estimator
from tests.components.clustering.conftest import clusterer

pytestmark = pytest.mark.usefixtures("one_thread")

CENTRES = [[0, 0], [10, 0]]


@pytest.mark.parametrize("name", ["k-means", "gaussian-mixture", "dbscan", "hdbscan", "agglomerative", "spectral"])
def test_how_sure_a_cluster_is(name: str, tmp_path: Path) -> None:
    X, _ = make_blobs(400, centers=CENTRES, random_state=0)
    given = {} if "dbscan" in name else {"clusters": 2}
    if name == "dbscan":
        given = {"eps": 1.0}
    model = clusterer(name, **given).fit(X)
    assigner = Assigner(random_state=0).fit(X, model.predict(X))
    new = np.array([[0.0, 0.0], [10.0, 0.3], [60.0, 60.0]])
    found = assigner.assign(model, new)
    assert found.labels.tolist() == model.predict(new).tolist()
    assert found.labels[0] != found.labels[1]
    assert found.outlier.tolist() == [False, False, True]
    assert (found.confidence[:2] > 0.9).all()
    assert ((found.confidence >= 0) & (found.confidence <= 1)).all()
    if "dbscan" in name:
        assert (found.labels[2], found.confidence[2]) == (-1, 0.0)
    learnt = assigner.assign(model, X)
    assert learnt.outlier.mean() <= 0.08
    path = tmp_path / "assigner.skops"
    path.write_bytes(dump_estimator(assigner))
    again = read_estimator(path, trusted_types()).assign(model, new)
    assert np.array_equal(again.confidence, found.confidence)


def test_between_two_clusters_it_is_a_half() -> None:
    X = np.concatenate([np.linspace(0, 1, 20), np.linspace(9, 10, 20)]).reshape(-1, 1)
    model = clusterer("k-means", clusters=2).fit(X)
    assigner = Assigner().fit(X, model.labels_)
    found = assigner.assign(model, np.array([[5.0], [0.5]]))
    assert found.confidence[0] == pytest.approx(0.5, abs=1e-9)
    assert found.confidence[1] > 0.95
    assert found.outlier.tolist() == [True, False]


def test_new_rows_of_the_same_kind_are_seldom_outliers() -> None:
    X, _ = make_blobs(1000, centers=CENTRES, random_state=0)
    new, _ = make_blobs(4000, centers=CENTRES, random_state=1)
    model = clusterer("k-means", clusters=2).fit(X)
    assert Assigner(0.01).fit(X, model.labels_).assign(model, new).outlier.mean() < 0.02
    assert Assigner(0.2).fit(X, model.labels_).assign(model, new).outlier.mean() == pytest.approx(0.2, abs=0.05)


def test_a_model_stays_small_and_small_clusters_stay() -> None:
    X = np.random.default_rng(0).normal(size=(20_000, 2))
    labels = np.zeros(20_000, dtype=int)
    labels[:50] = 1
    labels[-10:] = -1
    assigner = Assigner(most_rows=1000, random_state=0).fit(X, labels)
    assert len(assigner.rows_) < 1100
    assert (assigner.row_labels_ == 1).sum() == 50
    assert assigner.clusters_.tolist() == [0, 1]


def test_one_cluster_and_none() -> None:
    X = np.random.default_rng(0).normal(size=(30, 2))
    one = clusterer("k-means", clusters=1).fit(X)
    assert Assigner().fit(X, one.labels_).assign(one, X).confidence.tolist() == [1.0] * 30
    none = clusterer("dbscan", eps=1e-9).fit(X)
    found = Assigner().fit(X, none.labels_).assign(none, X)
    assert found.outlier.all()
    assert not found.confidence.any()
