from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from penstock.components.clustering.stability import best_jaccard, stability


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    with threadpool_limits(1):
        yield


class Fixed(ClusterMixin, BaseEstimator):
    """Whatever it is fitted to, it gives these labels."""

    def __init__(self, labels: Any = None) -> None:
        self.labels = labels

    def fit(self, X: Any, y: Any = None) -> Fixed:
        return self

    def predict(self, X: Any) -> Any:
        return np.array(self.labels)


class Drawn(ClusterMixin, BaseEstimator):
    """Labels by lot; remembers what it was fitted to."""

    fitted_to: list[np.ndarray] = []  # noqa: RUF012 - the clones are made out of sight

    def __init__(self, clusters: int = 8, random_state: int = 0) -> None:
        self.clusters = clusters
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Drawn:
        Drawn.fitted_to.append(np.array(X))
        self.fitted_ = True
        return self

    def predict(self, X: Any) -> Any:
        return np.random.default_rng(self.random_state).integers(self.clusters, size=len(X))


class FailsOften(Fixed):
    """Cannot be fitted to a resample that lacks the first row."""

    def fit(self, X: Any, y: Any = None) -> FailsOften:
        if not (X == 0).any():
            raise ValueError("ill-defined covariance")
        return self


def blobs(rows: int = 120) -> tuple[np.ndarray, np.ndarray]:
    return make_blobs(rows, centers=[[0, 0], [8, 0], [0, 8]], cluster_std=1.0, random_state=0)


U = np.array([0, 0, 0, 1, 1, 1, 2, 2])
V = np.array([0, 0, 1, 1, 1, 1, 2, 0])


@pytest.mark.covers("met_ari")
def test_overall_is_the_adjusted_rand_index() -> None:
    found = stability(Fixed(V), np.zeros((8, 1)), U, seed=0, resamples=3).overall
    assert [found.value, found.low, found.high] == pytest.approx([0.304347826087] * 3, abs=1e-9)


@pytest.mark.covers("met_ari")
def test_overall_reaches_one_for_the_same_partition_under_other_names() -> None:
    found = stability(Fixed(2 - U), np.zeros((8, 1)), U, seed=0, resamples=3)
    assert found.overall.value == 1.0
    assert [cluster.value for cluster in found.per_cluster] == [1.0, 1.0, 1.0]


@pytest.mark.covers("met_ari")
def test_chance_agreement_counts_as_nothing() -> None:
    truth = np.repeat(np.arange(5), 40)
    found = stability(Drawn(8), np.zeros((200, 1)), truth, seed=0, resamples=200)
    assert abs(found.overall.value) < 0.01
    assert found.overall.low < 0 < found.overall.high


def test_jaccard_by_hand() -> None:
    assert best_jaccard(U, V).tolist() == [2 / 4, 3 / 4, 1 / 2]
    found = stability(Fixed(V), np.zeros((8, 1)), U, seed=0, resamples=4)
    assert [cluster.value for cluster in found.per_cluster] == [0.5, 0.75, 0.5]


def test_clusters_are_named_also_where_a_number_is_not_taken() -> None:
    found = stability(Fixed([1, 1, 4, 4]), np.zeros((4, 1)), np.array([1, 1, 1, 4]), seed=0, resamples=2)
    assert found.clusters == [1, 4]
    assert [cluster.value for cluster in found.per_cluster] == [pytest.approx(2 / 3), 0.5]


def test_resamples_are_bootstrap_samples_with_seeds_of_their_own() -> None:
    Drawn.fitted_to.clear()
    rows = np.arange(100.0).reshape(-1, 1)
    stability(Drawn(2), rows, np.repeat([0, 1], 50), seed=3, resamples=60)
    assert {sample.shape for sample in Drawn.fitted_to} == {(100, 1)}
    distinct = [len(np.unique(sample)) / 100 for sample in Drawn.fitted_to]
    assert np.mean(distinct) == pytest.approx(1 - (1 - 1 / 100) ** 100, abs=0.015)
    assert len({sample.tobytes() for sample in Drawn.fitted_to}) == 60
    spread = stability(Drawn(2), rows, np.repeat([0, 1], 50), seed=3, resamples=20).overall
    assert spread.high - spread.low > 0.001


@pytest.mark.parametrize("model", [KMeans(3, n_init=3), GaussianMixture(3)], ids=["k-means", "gaussian-mixture"])
def test_planted_blobs_are_found_again(model: Any) -> None:
    X, truth = blobs()
    found = stability(model, X, truth, seed=0)
    assert found.overall.value > 0.97
    assert found.overall.low > 0.9
    assert found.overall.confidence == 0.95
    assert all(cluster.value > 0.97 for cluster in found.per_cluster)
    assert (found.resamples, found.failed) == (20, 0)


def test_clusters_cut_out_of_noise_are_not_found_again() -> None:
    noise = np.random.default_rng(0).uniform(size=(200, 4))
    labels = KMeans(5, n_init=3, random_state=0).fit(noise).labels_
    found = stability(KMeans(5, n_init=3), noise, labels, seed=0)
    assert found.overall.value < 0.6
    assert min(cluster.value for cluster in found.per_cluster) < 0.6
    assert found.overall.low < found.overall.value < found.overall.high


def test_one_true_cluster_beside_an_arbitrary_cut() -> None:
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 0.3, (60, 2)), rng.normal(20, 3, (100, 2))])
    labels = KMeans(4, n_init=5, random_state=0).fit(X).labels_
    found = stability(KMeans(4, n_init=5), X, labels, seed=0)
    tight = labels[0]
    assert found.per_cluster[tight].value > 0.99
    assert all(found.per_cluster[cluster].value < 0.9 for cluster in range(4) if cluster != tight)


def test_one_cluster_is_stable_and_says_nothing() -> None:
    X, _ = blobs()
    found = stability(KMeans(1), X, np.zeros(len(X), dtype=int), seed=0, resamples=3)
    assert found.overall.value == 1.0
    assert [cluster.value for cluster in found.per_cluster] == [1.0]


def test_duplicates_leave_fewer_clusters_without_a_warning() -> None:
    X = np.repeat([[0.0, 0.0], [5.0, 5.0]], 10, axis=0)
    for model in (KMeans(4, n_init=2), GaussianMixture(4)):
        assert stability(model, X, np.repeat([0, 1], 10), seed=0, resamples=4).overall.value == 1.0


def test_a_resample_that_cannot_be_fitted_counts_as_not_found_again() -> None:
    rows = np.arange(8.0).reshape(-1, 1)
    found = stability(FailsOften(U), rows, U, seed=0, resamples=30)
    assert 0 < found.failed < 30
    assert found.overall.value == pytest.approx(1 - found.failed / 30)
    assert found.per_cluster[0].value == pytest.approx(1 - found.failed / 30)


def test_an_error_after_the_fit_is_a_bug_and_not_hidden() -> None:
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        stability(Fixed([0, 1]), np.zeros((8, 1)), U, seed=0, resamples=3)


def test_fewer_rows_than_clusters() -> None:
    found = stability(KMeans(4), np.arange(3.0).reshape(-1, 1), np.array([0, 1, 2]), seed=0, resamples=5)
    assert (found.failed, found.overall.value) == (5, 0.0)


def test_the_interval_holds_its_value() -> None:
    rows = np.arange(200.0).reshape(-1, 1)

    class OneBad(Drawn):
        def predict(self, X: Any) -> Any:
            bad = len(Drawn.fitted_to) == 1
            return np.zeros(len(X), dtype=int) if bad else np.repeat([0, 1], 100)

    Drawn.fitted_to.clear()
    found = stability(OneBad(), rows, np.repeat([0, 1], 100), seed=0, resamples=100).overall
    assert (found.value, found.low, found.high) == (0.99, 0.99, 1.0)


def test_a_pipeline_is_reseeded_inside() -> None:
    rows, labels = np.arange(60.0).reshape(-1, 1), np.arange(60) % 3
    pipeline = make_pipeline(StandardScaler(), Drawn(3, random_state=0))
    found = stability(pipeline, rows, labels, seed=0, resamples=5)
    assert found.failed == 0
    assert found.overall.high - found.overall.low > 0.001
    assert pipeline.get_params()["drawn__random_state"] == 0


def test_same_bits_every_time_and_another_seed_another_answer() -> None:
    noise = np.random.default_rng(1).uniform(size=(150, 3))
    noise.setflags(write=False)
    labels = KMeans(4, n_init=2, random_state=0).fit(noise).labels_
    first, second, other = (stability(KMeans(4, n_init=1), noise, labels, seed=seed, resamples=6) for seed in (1, 1, 2))
    assert first.model_dump_json() == second.model_dump_json()
    assert first.overall != other.overall


def test_noise_is_a_group_but_no_cluster() -> None:
    labels = np.array([0, 0, 0, 1, 1, 1, -1, -1])
    same = stability(Fixed(labels), np.zeros((8, 1)), labels, seed=0, resamples=2)
    assert (same.clusters, same.overall.value) == ([0, 1], 1.0)
    nothing = stability(Fixed(np.full(8, -1)), np.zeros((8, 1)), labels, seed=0, resamples=2)
    assert [cluster.value for cluster in nothing.per_cluster] == [0.0, 0.0]
    assert nothing.overall.value == 0.0
    # Rows that became noise are lost to their cluster; noise that joins one dilutes it.
    assert best_jaccard(labels, np.array([0, 0, -1, 1, 1, 1, 1, -1])).tolist() == [2 / 3, 3 / 4]
