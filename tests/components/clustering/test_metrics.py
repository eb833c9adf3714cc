from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.metrics import silhouette_score
from sklearn.mixture import GaussianMixture

from penstock.components.clustering.metrics import internal_scores

LINE = np.array([[0.0], [1.0], [10.0], [11.0]])
PAIRS = np.array([0, 0, 1, 1])


def blobs(rows: int = 240, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    return make_blobs(rows, centers=[[0, 0], [8, 0], [0, 8]], cluster_std=1.0, random_state=seed)


def test_silhouette_by_hand() -> None:
    scores = internal_scores(LINE, PAIRS, seed=0)
    ends, middles = (10.5 - 1) / 10.5, (9.5 - 1) / 9.5
    np.testing.assert_allclose(scores["silhouette_values"], [ends, middles, middles, ends], rtol=1e-12)
    assert scores["silhouette"] == pytest.approx((ends + middles) / 2, rel=1e-12)
    assert scores["silhouette_rows"].tolist() == [0, 1, 2, 3]
    assert scores["silhouette_labels"].tolist() == [0, 0, 1, 1]
    assert scores["reason"] is None
    assert scores["clusters_found"] == 2


def test_calinski_harabasz_and_davies_bouldin_by_hand() -> None:
    scores = internal_scores(LINE, PAIRS, seed=0)
    between, within = 4 * 5.0**2, 4 * 0.5**2
    assert scores["calinski_harabasz"] == pytest.approx((between / 1) / (within / 2), rel=1e-12)
    assert scores["davies_bouldin"] == pytest.approx((0.5 + 0.5) / 10, rel=1e-12)


@pytest.mark.covers("met_kmeans_objective")
def test_inertia_is_the_k_means_objective() -> None:
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [5.0, 5.0], [6.0, 5.0]])
    model = KMeans(2, n_init=5, random_state=0).fit(X)
    inertia = internal_scores(X, model.labels_, estimator=model, seed=0)["inertia"]
    assert inertia == pytest.approx(1.83333333333, abs=1e-9)
    pair_sums = sum(
        0.5 / len(group) * ((group[:, None] - group[None, :]) ** 2).sum()
        for group in (X[model.labels_ == label] for label in (0, 1))
    )
    assert inertia == pytest.approx(pair_sums, rel=1e-12)


def test_inertia_is_of_the_rows_given() -> None:
    X, _ = blobs()
    model = KMeans(3, n_init=3, random_state=0).fit(X)
    new = model.cluster_centers_ + np.array([0.3, 0.4])
    moved = internal_scores(new, np.array([0, 1, 2]), estimator=model, seed=0)["inertia"]
    assert moved == pytest.approx(0.75, rel=1e-9)
    assert moved != model.inertia_


def test_bic_by_hand_and_greater_is_better() -> None:
    X, _ = blobs()
    model = GaussianMixture(3, random_state=0).fit(X)
    scores = internal_scores(X, model.predict(X), estimator=model, seed=0)
    means, covariances, weights = 3 * 2, 3 * 3, 2
    parameters = means + covariances + weights
    likelihood = model.score_samples(X).sum()
    assert scores["neg_bic"] == pytest.approx(2 * likelihood - parameters * np.log(len(X)), rel=1e-12)
    assert scores["neg_aic"] == pytest.approx(2 * likelihood - parameters * 2, rel=1e-12)
    assert scores["inertia"] is None
    one = GaussianMixture(1, random_state=0).fit(X)
    assert scores["neg_bic"] > internal_scores(X, one.predict(X), estimator=one, seed=0)["neg_bic"]


def test_without_an_estimator_there_is_no_inertia_and_no_bic() -> None:
    scores = internal_scores(LINE, PAIRS, seed=0)
    assert [scores[name] for name in ("inertia", "neg_bic", "neg_aic")] == [None, None, None]


def test_planted_blobs_score_higher_than_noise() -> None:
    X, truth = blobs()
    noise = np.random.default_rng(0).uniform(size=(240, 2))
    cut = KMeans(3, n_init=3, random_state=0).fit(noise).labels_
    planted, split = internal_scores(X, truth, seed=0), internal_scores(noise, cut, seed=0)
    assert planted["silhouette"] > 0.7 > 0.5 > split["silhouette"]
    assert planted["calinski_harabasz"] > split["calinski_harabasz"]
    assert planted["davies_bouldin"] < split["davies_bouldin"]


@pytest.mark.parametrize(
    ("labels", "words"), [([0, 0, 0, 0], "4 row(s) lie in 1 cluster(s)"), ([0, 1, 2, 3], "each of the 4 rows")]
)
def test_what_cannot_be_compared_has_a_reason_and_no_scores(labels: list[int], words: str) -> None:
    scores = internal_scores(LINE, np.array(labels), seed=0)
    assert [scores[name] for name in ("silhouette", "calinski_harabasz", "davies_bouldin")] == [None, None, None]
    assert words in scores["reason"]
    assert [len(scores[f"silhouette_{part}"]) for part in ("values", "labels", "rows")] == [0, 0, 0]


def test_one_component_still_has_a_bic() -> None:
    model = GaussianMixture(1, random_state=0).fit(LINE)
    scores = internal_scores(LINE, model.predict(LINE), estimator=model, seed=0)
    assert scores["silhouette"] is None
    assert scores["neg_bic"] == pytest.approx(-model.bic(LINE), rel=1e-12)


def test_duplicates_do_not_divide_by_zero() -> None:
    X = np.repeat([[0.1, 0.2], [3.3, 4.7]], 10, axis=0)
    scores = internal_scores(X, np.repeat([0, 1], 10), seed=0)
    assert scores["silhouette"] == pytest.approx(1.0, abs=1e-6)
    assert np.isfinite([scores["calinski_harabasz"], scores["davies_bouldin"]]).all()
    same = internal_scores(X[:10], np.repeat([0, 1], 5), seed=0)
    assert same["silhouette"] == pytest.approx(0.0, abs=1e-12)


def test_a_sample_stands_for_many_rows() -> None:
    X, truth = blobs(2000)
    scores = internal_scores(X, truth, seed=4, most_rows=400)
    rows = scores["silhouette_rows"]
    assert len(rows) == len(set(rows.tolist())) == 400
    assert scores["silhouette_labels"].tolist() == truth[rows].tolist()
    assert scores["silhouette"] == float(scores["silhouette_values"].mean())
    assert scores["silhouette"] == pytest.approx(silhouette_score(X, truth), abs=0.02)
    assert internal_scores(X, truth, seed=5, most_rows=400)["silhouette_rows"].tolist() != rows.tolist()


def test_a_cluster_missing_from_the_sample_is_said() -> None:
    X, _ = blobs(3000)
    labels = np.zeros(3000, dtype=int)
    labels[-2:] = 1
    scores = internal_scores(X, labels, seed=0, most_rows=50)
    assert scores["silhouette"] is None
    assert scores["reason"] == "50 row(s) lie in 1 cluster(s); a comparison needs two"
    assert scores["clusters_found"] == 2
    assert scores["calinski_harabasz"] is not None


def test_same_bits_every_time_and_from_a_read_only_matrix() -> None:
    X, truth = blobs(1000)
    first = internal_scores(X, truth, seed=1, most_rows=300)
    X.setflags(write=False)
    second = internal_scores(X, truth, seed=1, most_rows=300)
    assert first["silhouette_values"].tobytes() == second["silhouette_values"].tobytes()
    plain = {name for name, value in first.items() if not isinstance(value, np.ndarray)}
    assert {name: first[name] for name in plain} == {name: second[name] for name in plain}


@pytest.mark.covers("met_within_between", "ex_within_between_dissimilarity")
def test_sums_over_pairs_within_and_between() -> None:
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [5.0, 5.0], [6.0, 5.0]])
    labels = np.array([0, 0, 0, 1, 1])
    scores = internal_scores(X, labels, seed=0)
    assert scores["within"] == pytest.approx(5.0, abs=1e-9)
    assert scores["between"] == pytest.approx(295.0, abs=1e-9)
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    assert scores["within"] + scores["between"] == pytest.approx(squares.sum() / 2, abs=1e-9) == 300.0
    assert scores["within"] == pytest.approx(squares[labels[:, None] == labels].sum() / 2, abs=1e-9)
    centred = sum(((X[labels == label] - X[labels == label].mean(axis=0)) ** 2).sum() for label in (0, 1))
    assert centred == pytest.approx(1.83333333333, abs=1e-9)


def test_noise_is_left_out_and_does_not_pay() -> None:
    X, truth = blobs()
    noisy = np.concatenate([X, [[50.0, 50.0]] * 60])
    scores = internal_scores(noisy, np.concatenate([truth, np.full(60, -1)]), seed=0)
    clean = internal_scores(X, truth, seed=0)
    for name in ("silhouette", "calinski_harabasz", "davies_bouldin", "within", "clusters_found"):
        assert scores[name] == pytest.approx(clean[name], rel=1e-9)
    assert scores["noise_share"] == pytest.approx(0.2)
    assert scores["silhouette_with_noise"] == pytest.approx(0.8 * clean["silhouette"])
    assert scores["density_validity"] == pytest.approx(0.8 * clean["density_validity"])
    assert clean["silhouette_with_noise"] == clean["silhouette"]
    assert scores["silhouette_labels"].min() == 0


def test_all_noise_has_a_reason() -> None:
    scores = internal_scores(LINE, np.full(4, -1), seed=0)
    assert scores["silhouette"] is scores["density_validity"] is scores["calinski_harabasz"] is None
    assert scores["reason"] == "0 row(s) lie in 0 cluster(s); a comparison needs two"
