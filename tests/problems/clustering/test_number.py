from __future__ import annotations

from penstock.components.evaluation.intervals import Interval
from penstock.components.search.candidates import Candidate
from penstock.problems.clustering.number import _samples
from penstock.problems.clustering.scores import ClusterScores
from penstock.problems.clustering.selection import ClusterFit, ClusterSelection
from penstock.tasks.document import k_curves


def fit(name: str, number: int, silhouette: float, with_noise: float) -> ClusterFit:
    nothing = ("reason", "calinski_harabasz", "davies_bouldin", "density_validity", "inertia", "neg_bic", "neg_aic")
    scores = ClusterScores(
        clusters_found=2,
        noise_share=0.0,
        silhouette=silhouette,
        silhouette_with_noise=with_noise,
        within=0.0,
        between=0.0,
        stability=Interval(value=1.0, low=1.0, high=1.0, confidence=0.95),
        by_cluster={},
        **dict.fromkeys(nothing),
    )
    candidate = Candidate(name=name, number=number, parameters={"clusters": 2})
    return ClusterFit(candidate=candidate, clusters_found=2, scores=scores, sample=[number, number])


def chosen_of(*fits: ClusterFit) -> ClusterSelection:
    compared = [one.compared() for one in fits]
    return ClusterSelection(number=1, metric="silhouette", compared=compared, ranked=False, fits=list(fits), chosen=0)


def test_a_method_is_shown_by_its_best_with_noise_counted() -> None:
    """The first keeps to the densest rows; it would be shown, though the other was chosen."""
    chosen = chosen_of(fit("hdbscan", 1, 0.9, 0.2), fit("hdbscan", 2, 0.6, 0.5), fit("k-means", 3, 0.4, 0.4))
    assert list(_samples(chosen)) == ["hdbscan #2", "k-means #3"]
    assert k_curves(chosen) == {"hdbscan: silhouette": {2: 0.5}, "k-means: silhouette": {2: 0.4}}


def test_candidates_of_one_method_are_all_shown() -> None:
    assert list(_samples(chosen_of(fit("hdbscan", 1, 0.9, 0.2), fit("hdbscan", 2, 0.6, 0.5)))) == [
        "hdbscan #1",
        "hdbscan #2",
    ]
