"""Every clusterer of the catalogue: scikit-learn's conventions, a rule for new rows, bad input in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import class_of, entries
from penstock.components.clustering.base import numbered
from penstock.errors import ClusteringError, PenstockError
from tests.components.clustering.conftest import clusterer

pytestmark = pytest.mark.usefixtures("one_thread")

NAMES = sorted(entry.name for entry in entries().values() if entry.kind == "clusterer")
WEIGHTS = "k-means++ draws other rows where a row counts twice than where it stands twice"
KNOWN = dict.fromkeys(
    ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"), WEIGHTS
)


OWN: list[tuple[str, dict[str, Any]]] = [
    ("k-means", {"n_init": 1}),
    ("k-medoids", {"n_init": 2}),
    ("latent-class", {"n_init": 1, "max_iter": 50}),
    ("gibbs-mixture", {"sweeps": 20}),
    ("k-medians", {"n_init": 2}),
    ("kernel-k-means", {"n_init": 2}),
    ("soft-k-means", {"n_init": 1, "max_iter": 50}),
    ("dbscan", {}),
    ("hdbscan", {}),
    ("agglomerative", {}),
    ("k-means-linkage", {"n_init": 1}),
    ("spectral", {"n_init": 1}),
    ("mean-shift", {}),
    ("birch", {}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "quick"), OWN, ids=[name for name, _ in OWN])
def test_the_conventions_of_scikit_learn(name: str, quick: dict[str, Any]) -> None:
    estimator = class_of(entries()[name], "clustering")(**quick)
    known = KNOWN if name == "k-means" else {}
    assert len(check_estimator(estimator, on_skip=None, expected_failed_checks=known)) > 30


@pytest.mark.parametrize("name", NAMES)
def test_every_clusterer_assigns_new_rows_and_says_how(name: str) -> None:
    X, truth = make_blobs(90, centers=[[0, 0], [20, 0], [0, 20]], random_state=0)
    new, meant = make_blobs(30, centers=[[0, 0], [20, 0], [0, 20]], cluster_std=0.3, random_state=1)
    model = clusterer(name).fit(X)
    assert len(model.labels_) == 90
    assert len(model.assignment_rule) > 20
    if name != "gibbs-mixture":
        assert adjusted_rand_score(truth, model.labels_) > 0.8
        assert adjusted_rand_score(meant, model.predict(new)) > 0.8
    assert model.predict(new).dtype.kind == "i"


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_value_is_refused(name: str) -> None:
    X = np.random.default_rng(0).normal(size=(20, 2))
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN") as caught:
        clusterer(name).fit(X)
    if isinstance(caught.value, PenstockError):
        assert caught.value.code == "PEN331"
        assert "row 3, column 1" in caught.value.where


def test_one_row_is_too_few() -> None:
    with pytest.raises(ClusteringError) as caught:
        clusterer("gaussian-mixture", clusters=5).fit(np.eye(3))
    assert caught.value.code == "PEN330"


def test_numbers_of_clusters_in_order_of_appearance() -> None:
    assert numbered([5, 5, 2, -1, 9, 2]).tolist() == [0, 0, 1, -1, 2, 1]
    assert numbered([-1, -1]).tolist() == [-1, -1]
    assert numbered([3, 1]).tolist() == [0, 1]
