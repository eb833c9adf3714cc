from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.mixture import GaussianMixture
from threadpoolctl import threadpool_limits

from penstock.components.catalog import build
from penstock.components.clustering.choice import choose, leaves_number_open, likelihood_counts
from penstock.components.clustering.metrics import internal_scores
from penstock.errors import NoCandidateError


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    with threadpool_limits(1):
        yield


def scores(silhouette: float | None, neg_bic: float | None = None) -> dict[str, Any]:
    return {"silhouette": silhouette, "neg_bic": neg_bic}


def candidate(
    name: str,
    clusters: int,
    silhouette: float | None,
    stability: float | None,
    low: float | None = None,
    neg_bic: float | None = None,
) -> dict[str, Any]:
    interval = None if stability is None else {"value": stability, "low": stability if low is None else low, "high": 1}
    return {
        "name": name,
        "parameters": {"clusters": clusters},
        "stability": interval,
        **scores(silhouette, neg_bic),
    }


def fitted_scores(model: Any, X: np.ndarray) -> dict[str, Any]:
    return internal_scores(X, model.fit(X).predict(X), estimator=model, seed=0)


def best_k(method: str, by_k: dict[int, dict[str, Any]]) -> int:
    """The number of clusters where no other method is asked, and all are equally stable."""
    certain = {"value": 1.0, "low": 1.0, "high": 1.0}
    known = [{"name": method, "parameters": {"clusters": k}, "stability": certain, **one} for k, one in by_k.items()]
    return int(known[choose(known)[0]]["parameters"]["clusters"])


def test_silhouette_decides_for_a_method_without_likelihood() -> None:
    assert best_k("k-means", {2: scores(0.5), 3: scores(0.7), 4: scores(0.6)}) == 3


def test_bic_decides_for_a_method_with_likelihood_whatever_its_silhouette() -> None:
    assert best_k("gaussian-mixture", {2: scores(0.9, -1200.0), 3: scores(0.4, -1000.0), 4: scores(0.3, -1010.5)}) == 3


@pytest.mark.parametrize("order", [(2, 3, 4), (4, 3, 2)])
def test_equal_scores_give_fewer_clusters(order: tuple[int, ...]) -> None:
    assert best_k("k-means", {k: scores(0.5) for k in order}) == 2


def test_the_last_bits_do_not_decide() -> None:
    assert best_k("k-means", {2: scores(0.3 - 1e-16), 3: scores(0.1 + 0.2)}) == 2


def test_a_k_without_two_clusters_is_passed_over() -> None:
    assert best_k("k-means", {2: scores(None), 3: scores(-0.1)}) == 3


def test_a_method_whose_bic_finds_one_cluster_is_out() -> None:
    with pytest.raises(NoCandidateError):
        best_k("gaussian-mixture", {1: scores(None, -10.0), 2: scores(0.4, -20.0)})


def test_no_clusters_at_any_k() -> None:
    with pytest.raises(NoCandidateError) as caught:
        best_k("k-means", {2: scores(None), 3: scores(None)})
    assert caught.value.code == "PEN310"
    assert caught.value.where == "models: k-means"
    assert "vary from row to row" in caught.value.remedy


def test_planted_blobs_have_their_k() -> None:
    X, _ = make_blobs(150, centers=[[0, 0], [8, 0], [0, 8]], cluster_std=1.0, random_state=0)
    by_silhouette = {k: fitted_scores(KMeans(k, n_init=3, random_state=0), X) for k in range(2, 7)}
    by_bic = {k: fitted_scores(GaussianMixture(k, random_state=0), X) for k in range(1, 6)}
    assert best_k("k-means", by_silhouette) == 3
    assert best_k("gaussian-mixture", by_bic) == 3


def test_one_gaussian_blob_has_one_component() -> None:
    X = np.random.default_rng(0).normal(size=(150, 2))
    by_k = {k: fitted_scores(GaussianMixture(k, random_state=0), X) for k in (1, 2, 3)}
    assert max(by_k, key=lambda k: by_k[k]["neg_bic"]) == 1
    with pytest.raises(NoCandidateError):
        best_k("gaussian-mixture", by_k)


@pytest.mark.filterwarnings("ignore:Number of distinct clusters:sklearn.exceptions.ConvergenceWarning")
def test_asking_for_more_clusters_than_distinct_rows_gains_nothing() -> None:
    X = np.repeat(np.random.default_rng(0).normal(size=(3, 2)), 10, axis=0)
    by_k = {k: fitted_scores(KMeans(k, n_init=2, random_state=0), X) for k in (5, 4, 3, 2)}
    assert best_k("k-means", by_k) == 3


def test_k_within_each_method_first_then_the_more_stable_method() -> None:
    position, reason = choose(
        [
            candidate("k-means", 2, 0.4, 1.0),
            candidate("k-means", 3, 0.6, 0.8),
            candidate("gaussian-mixture", 3, 0.5, 0.95, neg_bic=-100.0),
            candidate("gaussian-mixture", 4, 0.7, 0.99, neg_bic=-150.0),
        ]
    )
    assert position == 2
    assert reason == (
        "gaussian-mixture with 3 clusters: stability 0.950, the most stable of 2 methods; silhouette 0.500"
    )


def test_silhouette_decides_between_equally_stable_methods() -> None:
    position, reason = choose(
        [candidate("k-means", 3, 0.5, 0.95, low=0.85), candidate("gaussian-mixture", 4, 0.6, 0.85, neg_bic=-1.0)]
    )
    assert position == 1
    assert reason == (
        "gaussian-mixture with 4 clusters: stability 0.850, as stable as k-means with 3 clusters; "
        "silhouette 0.600, the highest of these"
    )


def test_just_below_the_leaders_interval_is_less_stable() -> None:
    rivals = [candidate("k-means", 3, 0.5, 0.95, low=0.85), candidate("gaussian-mixture", 4, 0.6, 0.849, neg_bic=-1.0)]
    assert choose(rivals)[0] == 0


def test_bic_is_never_compared_between_methods() -> None:
    rivals = [candidate("k-means", 3, 0.6, 0.9), candidate("gaussian-mixture", 3, 0.5, 0.9, neg_bic=1e9)]
    assert choose(rivals)[0] == 0


def test_equal_methods_fewer_clusters_then_the_first() -> None:
    small, large = candidate("b", 3, 0.5, 0.9), candidate("a", 4, 0.5, 0.9)
    assert choose([large, small])[0] == 1
    assert choose([small, large])[0] == 0
    assert choose([candidate("b", 3, 0.5, 0.9), candidate("a", 3, 0.5, 0.9)])[0] == 0


def test_one_cluster_does_not_win_by_being_stable() -> None:
    position, reason = choose(
        [
            candidate("gaussian-mixture", 1, None, 1.0, neg_bic=-10.0),
            candidate("gaussian-mixture", 2, 0.3, 0.9, neg_bic=-20.0),
            candidate("k-means", 2, 0.4, 0.3),
        ]
    )
    assert position == 2
    assert reason == "k-means with 2 clusters: stability 0.300, silhouette 0.400; no other method found clusters"


def test_only_the_picks_need_a_stability() -> None:
    assert choose([candidate("k-means", 2, 0.4, None), candidate("k-means", 3, 0.6, 0.8)])[0] == 1


def test_a_method_without_k_can_take_part() -> None:
    other = {**candidate("mean-shift", 0, 0.5, 0.9), "parameters": {"bandwidth": 1.0}}
    assert choose([other, candidate("k-means", 3, 0.5, 0.9)])[0] == 1
    assert choose([other])[1] == "mean-shift: stability 0.900, silhouette 0.500; no other method found clusters"


def test_nothing_to_choose_from() -> None:
    with pytest.raises(NoCandidateError) as caught:
        choose([candidate("k-means", 2, None, 1.0), candidate("gaussian-mixture", 1, None, 1.0, neg_bic=-1.0)])
    assert caught.value.where == "models: k-means, gaussian-mixture"
    assert caught.value.exit_status == 4


def test_only_noise_is_said_as_such() -> None:
    noise = {**candidate("dbscan", 0, None, 0.0), "clusters_found": 0, "parameters": {"eps": 0.1}}
    with pytest.raises(NoCandidateError, match="all training rows noise") as caught:
        choose([noise, noise])
    assert caught.value.code == "PEN322"
    assert "eps" in caught.value.remedy


def test_the_number_is_open_unless_every_candidate_has_the_same() -> None:
    assert leaves_number_open([{"clusters": 2}, {"clusters": 3}])
    assert leaves_number_open([{"eps": 0.3}])
    assert not leaves_number_open([{"clusters": 4}, {"clusters": 4, "init": "random"}])


def test_a_column_of_zeros_and_ones_is_no_quantity() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 2))
    assert likelihood_counts(X)
    assert not likelihood_counts(np.column_stack([X, rng.integers(0, 2, 50)]))


def test_a_method_does_not_gain_by_calling_rows_noise() -> None:
    """The densest 14 of 100 rows alone are far better apart than all rows are."""
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 200)
    X = np.array([[0, 0], [3.5, 0], [0, 3.5]])[truth] + rng.normal(size=(600, 2))
    X /= X.std(axis=0)
    candidates: list[dict[str, Any]] = []
    for eps in (0.2, 0.3):
        parameters = {"eps": eps, "min_samples": 20}
        model = build("dbscan", parameters, seed=0, problem="clustering")
        found = {"name": "dbscan", "parameters": parameters, "stability": {"value": 0.7, "low": 0.5, "high": 0.8}}
        candidates.append({**found, **fitted_scores(model, X)})
    few, most = candidates
    assert few["noise_share"] > 0.8 > 0.3 > most["noise_share"] > 0
    assert few["silhouette"] > most["silhouette"]
    best, reason = choose(candidates)
    assert candidates[best] is most
    assert f"silhouette {most['silhouette_with_noise']:.3f} with the {most['noise_share']:.0%} of noise as 0" in reason
